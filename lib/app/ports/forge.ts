import type { ForgeNote, ForgePull } from '#lib/domain/evidence/forge.ts';
import type { Millis } from '#lib/domain/time.ts';

/** Reads what GitHub knows of a play's pull requests, with the read token. Throws SourceError. */
export interface Forge {
  /** The pull requests that changed last, newest first, back to `since`; at most 200. */
  pulls(target: string, since: Millis): Promise<ForgeReading<ForgePull>>;
  /** One by its number; undefined when there is none. */
  pull(target: string, number: number): Promise<ForgePull | undefined>;
  /** Comments, reviews, check runs and commit statuses of a pull request's head, since that moment. */
  activity(target: string, pull: ForgePull, since: Millis): Promise<ForgeReading<ForgeNote>>;
}

/** What was read of one thing; what was left out is told as a sentence. */
export interface ForgeReading<T> {
  readonly items: readonly T[];
  readonly gaps: readonly string[];
}
