import type { Coverage } from '#lib/client/index.ts';

/** What a reader learns first of a session's logs; `gap` stands before the state, since lines are lost for good. */
export type CoverageMark = Coverage['state'] | 'gap';

export const toMark = ({ state, gaps }: Pick<Coverage, 'state' | 'gaps'>): CoverageMark =>
  gaps.length > 0 && state !== 'blind' ? 'gap' : state;

export const MARK_TEXTS: Readonly<Record<CoverageMark, string>> = {
  proven: 'The logs were read completely, and pods of the play spoke.',
  quiet: 'The logs were read completely, and no pod of the play spoke.',
  blind: 'The logs cannot be read.',
  gap: 'A part of the logs cannot be read any more.',
  pending: 'Too early to say.',
};

/** A part of the session's time, as fractions of it. */
export interface Segment {
  readonly kind: 'proven' | 'gap' | 'unread';
  readonly from: number;
  readonly until: number;
}

/** The session's time in parts, for a bar: read, not read yet, and gaps over them. */
export function toSegments(
  span: { readonly startedAt: string; readonly endedAt: string | null },
  { proven_until, gaps }: Pick<Coverage, 'proven_until' | 'gaps'>,
  now: number,
): readonly Segment[] {
  const start = Date.parse(span.startedAt);
  const end = Math.max(start + 1, span.endedAt === null ? now : Date.parse(span.endedAt));
  const at = (moment: string): number => Math.min(1, Math.max(0, (Date.parse(moment) - start) / (end - start)));
  const proven = proven_until === null ? 0 : at(proven_until);
  const parts: Segment[] = [
    { kind: 'proven', from: 0, until: proven },
    { kind: 'unread', from: proven, until: 1 },
    ...gaps.map((gap) => ({ kind: 'gap' as const, from: at(gap.from), until: at(gap.until) })),
  ];
  return parts.filter(({ from, until }) => until > from);
}
