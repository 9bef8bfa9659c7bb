import type { Incident, SessionDetail } from '#lib/client/index.ts';
import { type CoverageMark, MARK_TEXTS, toMark, toSegments } from '../model/coverage.ts';
import { toAge, toLine, toMoment, toSafeLink } from '../model/text.ts';
import { type Child, h, svg } from './element.ts';

// oxlint-disable-next-line confined/clock -- the page stands alone in a browser, without Healer's ports
const now = (): number => Date.now();

/** A word with a mark before it; the mark has a shape of its own, so that colour is not all that tells. */
export const badge = (kind: string, text: string, title?: string): HTMLElement =>
  h('span', { class: `badge ${kind}`, title: title ?? null }, shape(kind), text);

const SHAPES: Readonly<Record<string, readonly [string, Record<string, string>]>> = {
  proven: ['circle', { cx: '5', cy: '5', r: '4' }],
  quiet: ['circle', { cx: '5', cy: '5', r: '3', class: 'ring' }],
  pending: ['circle', { cx: '5', cy: '5', r: '3', class: 'ring dashed' }],
  blind: ['path', { d: 'M5 0 L10 5 L5 10 L0 5 Z' }],
  gap: ['path', { d: 'M0 2h4v6h-4zM6 2h4v6h-4z' }],
  critical: ['path', { d: 'M5 0.5 L10 9.5 L0 9.5 Z' }],
  high: ['path', { d: 'M5 0.5 L10 9.5 L0 9.5 Z' }],
  medium: ['path', { d: 'M1 1h8v8h-8z' }],
  low: ['path', { d: 'M2 4h6v2h-6z' }],
};

function shape(kind: string): Child {
  const [tag, attributes] = SHAPES[kind] ?? [];
  if (tag === undefined) return null;
  return svg('svg', { viewBox: '0 0 10 10', class: 'shape', 'aria-hidden': 'true' }, svg(tag, attributes));
}

export function coverageBadge({ coverage }: SessionDetail['healer']): HTMLElement {
  const mark: CoverageMark = toMark(coverage);
  const text = mark === 'gap' ? `${coverage.state}, with a gap` : mark;
  return badge(mark, text, MARK_TEXTS[mark]);
}

/** The session's time as a bar: what was read, what was not, and what is lost. */
export function coverageBar({ session, healer }: SessionDetail): SVGElement {
  const span = { startedAt: session.started_at, endedAt: healer.ended_at };
  const parts = toSegments(span, healer.coverage, now()).map(({ kind, from, until }) =>
    svg('rect', { class: kind, x: `${from * 100}%`, width: `${(until - from) * 100}%`, height: '100%' }),
  );
  const label = `Logs are ${toMark(healer.coverage)}: ${MARK_TEXTS[toMark(healer.coverage)]}`;
  return svg('svg', { class: 'bar', role: 'img', 'aria-label': label, preserveAspectRatio: 'none' }, ...parts);
}

/** How long ago, kept current by {@link refreshAges}; the exact moment is its title. */
export const age = (moment: string): HTMLElement =>
  h('time', { datetime: moment, title: toMoment(moment), 'data-age': true }, toAge(moment, now()));

/** Lets every age in the page follow the clock. */
export function refreshAges(): void {
  for (const element of document.querySelectorAll('time[data-age]')) {
    const text = toAge(element.getAttribute('datetime') ?? '', now());
    if (element.textContent !== text) element.textContent = text;
  }
}

/** Links to the issue and the pull request, where there are any. */
export function outsideLinks({ issue_url, pull_request_url }: Incident): HTMLElement[] {
  return [outsideLink('Issue', issue_url), outsideLink('Pull request', pull_request_url)].flatMap((link) => link ?? []);
}

function outsideLink(text: string, address: string | null): HTMLElement | null {
  const href = toSafeLink(address);
  if (href === null) return null;
  const number = /\/(\d+)$/.exec(href)?.[1];
  const label = number === undefined ? text : `${text} #${number}`;
  return h('a', { href, target: '_blank', rel: 'noopener noreferrer', class: 'out' }, label);
}

/** Text of the API: one line, nothing hidden. */
export const line = toLine;

/** The same with what stands in backticks as code; an odd backtick stays one. */
export function prose(text: string): readonly Child[] {
  const parts = line(text).split(/`([^`]+)`/);
  return parts.map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part));
}

export const section = (title: string, ...children: readonly Child[]): HTMLElement =>
  h('section', { class: 'part' }, h('h3', {}, title), ...children);
