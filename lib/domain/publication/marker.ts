import { GuardError } from '../errors.ts';

/** What the visible marker names: the incident and the identity of its failure. */
interface Marker {
  readonly incidentId: string;
  readonly fingerprint: string;
}

const NAME = '[\\w:.+/=-]{1,200}';
const MARKER_LINE = new RegExp(`^Healer incident \`(${NAME})\` · fingerprint \`(${NAME})\`$`);
const BEGIN_LINE = new RegExp(`^<!-- healer:begin (${NAME}) -->$`);
const END_LINE = new RegExp(`^<!-- healer:end (${NAME}) -->$`);

/** The line by which Healer finds its own issue again. It is visible, and it is the last line of Healer's section. */
export const toMarker = (incident: { readonly id: string; readonly fingerprint: string }): string =>
  `Healer incident \`${incident.id}\` · fingerprint \`${incident.fingerprint}\``;

/** What a marker line says; undefined for any other line, also for an indented one: a pasted command is indented. */
function parseMarker(line: string): Marker | undefined {
  const [, incidentId, fingerprint] = MARKER_LINE.exec(line.trimEnd()) ?? [];
  return incidentId === undefined || fingerprint === undefined ? undefined : { incidentId, fingerprint };
}

/**
 * Healer's section around a content. Outside of it the issue belongs to people.
 * @throws GuardError when id or fingerprint hold characters that do not belong there.
 */
export function toSection(incident: { readonly id: string; readonly fingerprint: string }, content: string): string {
  const marker = toMarker(incident);
  if (parseMarker(marker) === undefined)
    throw new GuardError('issue marker', 'incident id or fingerprint is malformed');
  const begin = `<!-- healer:begin ${incident.id} -->`;
  return [begin, content.trim(), '', '---', '', marker, `<!-- healer:end ${incident.id} -->`].join('\n');
}

/**
 * The marker line of an issue that Healer wrote, as {@link toMarker} builds it: the last line of the first whole section,
 * else the last line of that form. Anyone can paste a marker: the caller also compares the author with Healer's own App.
 */
export function findMarker(body: string): string | undefined {
  const lines = toLines(body);
  const own = sectionsOf(lines)
    .map((section) => markerAt(lines, section))
    .find((marker) => marker !== undefined);
  const marker = own ?? lines.map(parseMarker).findLast((found) => found !== undefined);
  return marker === undefined ? undefined : toMarker({ id: marker.incidentId, fingerprint: marker.fingerprint });
}

/** A section of one incident, from its begin line to its end line. */
export interface Section {
  readonly incidentId: string;
  /** Indexes of its first and last line. */
  readonly from: number;
  readonly to: number;
}

/** Lines of a body; GitHub's web editor ends them with CR LF. */
export const toLines = (body: string): readonly string[] => body.replaceAll(/\r\n?/g, '\n').split('\n');

/** The marker is the last line with content before the section's end; what a log or a model says stands before it. */
function markerAt(lines: readonly string[], { from, to }: Section): Marker | undefined {
  const last = lines.slice(from + 1, to).findLast((line) => line.trim() !== '');
  return last === undefined ? undefined : parseMarker(last);
}

const idOf = (expression: RegExp, line: string): string | undefined => expression.exec(line.trimEnd())?.[1];

/** Outermost sections, in order. An end closes the nearest open begin of its own incident. */
export function sectionsOf(lines: readonly string[]): readonly Section[] {
  const open: { readonly incidentId: string; readonly from: number }[] = [];
  const closed: Section[] = [];
  for (const [index, line] of lines.entries()) {
    const begins = idOf(BEGIN_LINE, line);
    if (begins !== undefined) open.push({ incidentId: begins, from: index });
    const ends = idOf(END_LINE, line);
    const at = ends === undefined ? -1 : open.findLastIndex((begin) => begin.incidentId === ends);
    const begin = open[at];
    if (begin !== undefined) closed.push({ ...begin, to: index });
    if (begin !== undefined) open.splice(at);
  }
  const cutShort = open.map((begin) => ({ ...begin, to: markerAfter(lines, begin, closed) }));
  return toOutermost([...closed, ...cutShort.filter(({ from, to }) => to > from)]);
}

/** Where a section without an end has its marker line; -1 when there is none before the next section. */
function markerAfter(lines: readonly string[], begin: Omit<Section, 'to'>, closed: readonly Section[]): number {
  const next = closed.find((section) => section.from > begin.from)?.from ?? lines.length;
  return lines.findIndex(
    (line, index) => index > begin.from && index < next && parseMarker(line)?.incidentId === begin.incidentId,
  );
}

const toOutermost = (sections: readonly Section[]): readonly Section[] =>
  sections
    .filter((one) => !sections.some((other) => other !== one && other.from <= one.from && other.to >= one.to))
    .toSorted((one, other) => one.from - other.from);

/** Whether the line begins or ends a section of this incident. */
export const isDelimiter = (line: string, incidentId: string): boolean =>
  idOf(BEGIN_LINE, line) === incidentId || idOf(END_LINE, line) === incidentId;
