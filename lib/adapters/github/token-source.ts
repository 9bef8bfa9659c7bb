import type { RepositoryToken } from '#lib/app/ports.ts';

/** Where an adapter of GitHub gets its token from. */
export interface TokenSource {
  /** @param target `owner/name` @throws SourceError when none is to be had */
  get(target: string): Promise<RepositoryToken>;
  /** Drops a token that GitHub refused, so that the next `get` brings a fresh one. */
  forget(target: string): void;
}
