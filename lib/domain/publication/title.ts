import type { Incident } from '../incident/incident.ts';
import { toVisibleLine } from './safe-text.ts';

/** Titles stay readable in lists; GitHub itself takes 256. */
const MAX_TITLE = 120;

/** Title of the issue: which agent, what, which; the code at the end. No mark-up, no mention, no reference. */
export function toTitle(incident: Pick<Incident, 'agent' | 'title' | 'code'>): string {
  const suffix = incident.code === null ? '' : ` (${incident.code})`;
  const who = incident.agent === null || incident.title.includes(incident.agent) ? '' : `${incident.agent}: `;
  const text = toPlainTitle(`${who}${incident.title}`);
  const room = MAX_TITLE - suffix.length;
  return `${text.length <= room ? text : `${text.slice(0, room - 1).trimEnd()}…`}${suffix}`;
}

const toPlainTitle = (text: string): string =>
  toVisibleLine(text)
    .replaceAll(/[`<>]/g, "'")
    .replaceAll('@', '(at)')
    .replaceAll(/#(?=\d)/g, 'no. ')
    .replaceAll(/\bGH-(?=\d)/gi, 'GH ')
    .replaceAll('://', ': ')
    .replaceAll(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/g, '');
