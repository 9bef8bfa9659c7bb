import type { Finding } from '#lib/domain/detection/finding.ts';
import { toVisibleLine } from '#lib/domain/publication/safe-text.ts';
import type { EvidenceLine, ScanIncident } from '#lib/domain/scan/scan-incident.ts';
import { toIso, toMillis } from '#lib/domain/time.ts';
import { labelled, roomOf, type Style, wrap } from './style.ts';

/** Evidence lines that are shown of one incident, and lines of the terminal that one of them may take. */
const SHOWN = 4;
const ROWS = 3;
const NAMES = 5;

/** One incident as a block: agent, cause, first and last seen, count, evidence with times, remedy. */
export function renderIncident(incident: ScanIncident, style: Style): readonly string[] {
  const room = roomOf(style);
  return [
    ...headline(incident, style),
    ...labelled('agent', wrap(whoOf(incident), room)),
    ...labelled('seen', wrap(seenOf(incident), room)),
    ...labelled('cause', wrap(causeOf(incident.diagnosis), room)),
    ...labelled('evidence', evidenceOf(incident, room, style)),
    ...labelled('remedy', remedyOf(incident, room, style)),
    ...labelled('goes to', wrap(placeOf(incident), room)),
  ];
}

function headline({ severity, finding }: ScanIncident, style: Style): readonly string[] {
  const paint = severity === 'critical' ? style.red : severity === 'high' ? style.yellow : style.dim;
  const lead = [severity.toUpperCase(), finding.code ?? finding.category].join('  ');
  const [first = '', ...rest] = wrap(toWhat(finding), style.width - lead.length - 2);
  const indent = ' '.repeat(lead.length + 2);
  return [`${style.bold(paint(lead))}  ${style.bold(first)}`, ...rest.map((line) => `${indent}${style.bold(line)}`)];
}

/** What failed, without the agent that a summary begins with. */
const toWhat = ({ summary, agent }: Finding): string =>
  agent !== null && summary.startsWith(`${agent}: `) ? summary.slice(agent.length + 2) : summary;

const list = (names: ReadonlySet<string>): string => {
  const shown = [...names].slice(0, NAMES).join(', ');
  return names.size > NAMES ? `${shown} and ${names.size - NAMES} more` : shown;
};

function whoOf({ agents, pods }: ScanIncident): string {
  const where = `${pods.size === 1 ? 'pod' : 'pods'} ${list(pods)}`;
  return agents.size === 0 ? `not named; ${where}` : `${list(agents)}, ${where}`;
}

function seenOf({ firstNs, lastNs, occurrences, lines, plays }: ScanIncident): string {
  const times = firstNs === null || lastNs === null ? 'the log tells no time' : toSpan(firstNs, lastNs);
  const often = occurrences === 1 ? 'once' : `${occurrences} times`;
  const where = plays.size > 1 ? ` in ${plays.size} plays` : '';
  return `${times}; ${often}${where}, in ${lines === 1 ? 'one line' : `${lines} lines`}`;
}

/** `2026-01-08 16:04:11 to 16:07:02 UTC` */
export function toSpan(first: bigint, last: bigint): string {
  const [from, to] = [toIso(toMillis(first)), toIso(toMillis(last))].map((iso) => iso.slice(0, 19).replace('T', ' '));
  if (from === undefined || to === undefined || from === to) return `${from} UTC`;
  return `${from} to ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to} UTC`;
}

function evidenceOf({ evidence }: ScanIncident, room: number, style: Style): readonly string[] {
  if (evidence.length === 0) return ['none: the lines were not found again'];
  const shown = evidence.length <= SHOWN ? evidence : [...evidence.slice(0, SHOWN - 1), ...evidence.slice(-1)];
  const rest = evidence.length - shown.length;
  return [
    ...shown.flatMap((line) => [style.dim(whereOf(line, room)), ...textOf(line, room)]),
    ...(rest > 0 ? [style.dim(`and ${rest === 1 ? 'one more line' : `${rest} more lines`}`)] : []),
  ];
}

function whereOf({ at, pod, origin }: EvidenceLine, room: number): string {
  const time = at === null ? '' : `${at.slice(11, 23)} `;
  const place = origin === null ? (pod ?? '') : `${origin.file}:${origin.line}`;
  const text = toVisibleLine(`${time} ${place}`).trim();
  return text.length <= room ? text : `…${text.slice(text.length - room + 1)}`;
}

function textOf({ text }: EvidenceLine, room: number): readonly string[] {
  const lines = wrap(text, room - 2);
  const shown =
    lines.length <= ROWS ? lines : [...lines.slice(0, ROWS - 1), `${lines[ROWS - 1]?.slice(0, room - 4)} …`];
  return (shown.length === 0 ? ['(an empty line)'] : shown).map((line) => `  ${line}`);
}

/** Steps; a command stays on one line, since it is there to be pasted. */
function remedyOf({ diagnosis }: ScanIncident, room: number, style: Style): readonly string[] {
  if (diagnosis.remedy.length === 0) return ['none known'];
  return diagnosis.remedy.flatMap(({ text, command }, i) => {
    const number = `${i + 1}. `;
    const [first = '', ...rest] = wrap(text, room - number.length);
    const lines = [`${number}${first}`, ...rest.map((line) => `   ${line}`)];
    return command === undefined ? lines : [...lines, style.green(`   ${toVisibleLine(command)}`)];
  });
}

/** The summary is what an on-call person needs first; how sure it is belongs to it. */
const causeOf = ({ summary, confidence }: ScanIncident['diagnosis']): string =>
  confidence === 'likely' ? `${summary} (Likely; the log does not prove it.)` : summary;

function placeOf({ target, owner }: ScanIncident): string {
  const place = target ?? (owner === 'platform' ? "the platform's repository" : "the play's repository");
  return `an issue in ${place}`;
}
