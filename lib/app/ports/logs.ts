import type { LogEntry } from '#lib/domain/detection/finding.ts';
import type { Window } from '#lib/domain/time.ts';

/** A range of the log that could not be read, with the reason as a sentence. */
export interface LogGap {
  readonly window: Window;
  readonly reason: string;
}

export interface LogQuery {
  /** LogQL stream selector, e.g. `{namespace="cto"}`; values pass through the adapter's escaper. */
  readonly selector: string;
  /** RE2 expression for a server-side line filter; absent reads everything. */
  readonly lineFilter?: string;
  readonly window: Window;
}

export interface LogRead {
  /** In order of time; entries of one stream keep Loki's order. */
  readonly entries: readonly LogEntry[];
  /** What was read completely, from the window's start; shorter than asked when a budget ran out or a later part failed. */
  readonly proven: Window;
  readonly gaps: readonly LogGap[];
  readonly bytes: number;
  readonly pages: number;
}

/** Reads logs losslessly. Every method throws SourceError; an answer that is not complete never counts as read. */
export interface LogSource {
  read(query: LogQuery): Promise<LogRead>;
  /** Number of lines per pod label in the window, without a line filter: liveness. */
  countByPod(selector: string, window: Window): Promise<ReadonlyMap<string, number>>;
  /** The earliest entry of the selector in the window. */
  first(selector: string, window: Window): Promise<LogEntry | undefined>;
  /** Whether any stream matches the selector in the window. */
  hasStreams(selector: string, window: Window): Promise<boolean>;
}

/** What can be told of a log source without reading it. Every method throws SourceError. */
export interface LogProbe {
  /** Names of the labels that streams of the window have. */
  labels(window: Window): Promise<readonly string[]>;
  /** Values of one label. */
  valuesOf(label: string, window: Window): Promise<readonly string[]>;
  /** Whether any stream matches the selector in the window. */
  hasStreams(selector: string, window: Window): Promise<boolean>;
  /** Labels and keys of metadata that an entry of the selector has; undefined when there is no entry. */
  keysOfEntry(selector: string, window: Window): Promise<readonly string[] | undefined>;
}
