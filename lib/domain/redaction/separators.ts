import { type Edit, editView, type TextView } from './text-view.ts';

/** What a secret consists of, next to a separator. Behind an equals sign stars are a mask. */
const WORD = '[\\w+/~.-]';

/** Tags and comments of HTML. */
const TAGS = '(?:<(?:!--[^<>\\n]{0,60}--|/?[a-z][a-z0-9-]{0,15}(?:[ \\t][^<>\\n]{0,60})?/?)>){1,4}';
/** Emphasis of Markdown; behind a slash stars are more often a pattern of file names. */
const STARS = '(?:(?<!/)\\*{1,3}|(?<=/)\\*{1,3}(?=[A-Za-z0-9+]{4}))';
/** Deletion in Markdown, a link or an image without words. */
const MARKS = '~~|!?\\[\\]\\([^()\\s]{0,60}\\)';
/** The end of one string and the beginning of the next, with what programming languages join them by. */
const JOINTS = '["\'`]{1,3}[ \\t]{0,8}(?:(?:\\+|\\.{1,2}|&{1,2}|\\|\\||~|\\\\)[ \\t]{0,8})?["\'`]{1,3}';
/** An apostrophe is no separator: words hold it. */
const LONE_QUOTE = '(?<=\\w)["`](?=\\w)';
/** Escapes of Markdown and of shells, before characters that secrets have. */
const BACKSLASH = '(?<=\\w)\\\\(?=[_.~+=/!#$%&*@^-])';

const BETWEEN = `(?:(?<=${WORD})(?:${TAGS}|${STARS}|${MARKS})|(?<=${WORD}|=)${JOINTS})(?=${WORD})|${BACKSLASH}`;
/** What stands inside a word without belonging to it. Each alternative begins with a rare character and is bounded. */
const SEPARATOR = new RegExp(`${BETWEEN}|${LONE_QUOTE}`, 'gi');
/** Where lines are one, a quote between words is the end of the one and no part of the other. */
const SEPARATOR_OF_JOINED = new RegExp(BETWEEN, 'gi');

/** How much of a line is read before and after a separator: more than the longest secret that is no private key. */
const AROUND = 4096;
/** Where all lines are one, others are near. */
const AROUND_JOINED = 2048;

/**
 * The surroundings of all separators inside words, without the separators, one stretch a line. Undefined where there is
 * none.
 */
export function sewWords(view: TextView): TextView | undefined {
  const isJoined = view.joins !== undefined;
  const separators = view.text.matchAll(isJoined ? SEPARATOR_OF_JOINED : SEPARATOR);
  const found = [...separators].map(({ 0: { length }, index }) => ({ index, end: index + length }));
  if (found.length === 0) return undefined;
  const seams = found.map(({ index }) => view.starts[index] ?? 0);
  return editView({ ...view, seams }, leaveOut(view.text, found, isJoined ? AROUND_JOINED : AROUND));
}

interface Stretch {
  readonly index: number;
  readonly end: number;
}

/** Takes the separators out, and all that is on other lines or far away. */
function* leaveOut(text: string, separators: readonly Stretch[], around: number): Generator<Edit> {
  let kept = 0;
  let lineStart = 0;
  let lineEnd = -1;
  for (const { index, end } of separators) {
    while (lineEnd < index) {
      lineStart = lineEnd + 1;
      lineEnd = toLineEnd(text, lineStart);
    }
    const from = Math.max(lineStart, index - around);
    if (from > kept) yield { start: kept, end: from, text: '\n' };
    yield { start: index, end, text: '' };
    kept = Math.min(lineEnd, end + around);
  }
  if (kept < text.length) yield { start: kept, end: text.length, text: '\n' };
}

function toLineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}
