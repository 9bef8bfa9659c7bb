import type { LogEntry } from '#lib/domain/detection/finding.ts';
import type { PulledEntry } from './answer.ts';
import { identityOf } from './answer.ts';

/**
 * By time over all streams; at one nanosecond by stream, and within a stream as Loki returned them. An entry that came
 * twice (at a page's border, or from two replicas) stays once.
 */
export function inOrder(pulled: readonly PulledEntry[]): readonly LogEntry[] {
  const sorted = [...pulled].sort(compare);
  const kept: LogEntry[] = [];
  let seen = new Set<string>();
  sorted.forEach((item, index) => {
    const before = sorted[index - 1];
    const after = sorted[index + 1];
    const isTied = (other: PulledEntry | undefined) => other !== undefined && compare(item, other) === 0;
    if (!isTied(before)) seen = new Set();
    if (isTied(before) || isTied(after)) {
      const identity = identityOf(item.entry);
      if (seen.has(identity)) return;
      seen.add(identity);
    }
    kept.push(item.entry);
  });
  return kept;
}

function compare(a: PulledEntry, b: PulledEntry): number {
  if (a.entry.ns !== b.entry.ns) return a.entry.ns < b.entry.ns ? -1 : 1;
  if (a.stream === b.stream) return 0;
  return a.stream < b.stream ? -1 : 1;
}
