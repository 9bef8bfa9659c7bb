import type { LogEntry } from '../detection/finding.ts';

/** Where a line was read, so that a person finds it again. */
export interface Origin {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** An entry that is scanned. */
export interface ScanEntry extends LogEntry {
  /** Absent for what came from Loki. */
  readonly origin?: Origin;
  /** False when nothing tells the moment: then `ns` only keeps the order. */
  readonly isTimed: boolean;
  /** True when no pod is named anywhere, so that the file stands for it. */
  readonly isNameless?: boolean;
}
