import type { Edit } from './proposal.ts';

/** Lines before a place that may be needed to tell it from its like. */
const MAX_CONTEXT = 60;

/**
 * The edit that puts `replacement` in place of `text.slice(start, end)`: whole lines, with as many lines before them as
 * make the search text the only one of its kind. Undefined when none of them does.
 */
export function toUniqueEdit(
  path: string,
  text: string,
  place: { readonly start: number; readonly end: number; readonly replacement: string },
): Edit | undefined {
  const to = lineEnd(text, place.end);
  let from = lineStart(text, place.start);
  for (let lines = 0; lines <= MAX_CONTEXT; lines += 1) {
    const search = text.slice(from, to);
    if (search !== '' && text.indexOf(search) === text.lastIndexOf(search)) {
      return {
        path,
        search,
        replace: `${text.slice(from, place.start)}${place.replacement}${text.slice(place.end, to)}`,
      };
    }
    if (from === 0) return undefined;
    from = lineStart(text, from - 1);
  }
  return undefined;
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}
