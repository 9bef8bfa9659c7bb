import type { Incident } from '../incident/incident.ts';
import { toVisibleLine } from './safe-text.ts';
import { quotedSpans } from './spans.ts';

/** Titles stay readable in lists; GitHub itself takes 256. */
const MAX_TITLE = 120;
/** A longer quotation is no name. */
const MAX_WHICH = 80;

/**
 * Title of the issue: which agent, what, which; the code at the end. No mark-up, no mention, no reference. Where the
 * incident's own title names nothing, the first name that the summary quotes is added.
 */
export function toTitle(incident: Pick<Incident, 'agent' | 'title' | 'code'>, summary: string): string {
  const suffix = incident.code === null ? '' : ` (${incident.code})`;
  const who = incident.agent === null || incident.title.includes(incident.agent) ? '' : `${incident.agent}: `;
  const which = quotedSpans(summary).find(({ isCode }) => isCode)?.text;
  const isNamed = which === undefined || incident.title.includes(which) || which.length > MAX_WHICH;
  const text = toPlainTitle(`${who}${incident.title}${isNamed ? '' : `: ${which}`}`);
  const room = MAX_TITLE - suffix.length;
  return `${text.length <= room ? text : `${text.slice(0, room - 1).trimEnd()}…`}${suffix}`;
}

/** One line without mark-up, mention, reference or link. */
export const toPlainTitle = (text: string): string =>
  toVisibleLine(text)
    .replaceAll(/[`<>]/g, "'")
    .replaceAll('@', '(at)')
    .replaceAll(/#(?=\d)/g, 'no. ')
    .replaceAll(/\bGH-(?=\d)/gi, 'GH ')
    .replaceAll('://', ': ')
    .replaceAll(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/g, '');
