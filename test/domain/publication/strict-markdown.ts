/** What an issue's Markdown holds, read as GitHub reads it, but refusing everything that is not plainly safe. */
export interface Parsed {
  readonly headings: readonly string[];
  readonly links: readonly string[];
  /** Content of each fence. */
  readonly fences: readonly string[];
  /** Everything outside of fences and inline code, line by line. */
  readonly prose: readonly string[];
}

const OPENING = /^( {0,4})(`{3,})(text|sh)$/;
const LINK = /\[((?:[^[\]\\]|\\.)*)\]\((\S+?)\)/g;

/** @throws Error naming the first line that is not safe. */
export function parseStrictly(body: string): Parsed {
  const parsed = { headings: [] as string[], links: [] as string[], fences: [] as string[], prose: [] as string[] };
  const lines = body.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const fence = OPENING.exec(line);
    if (fence === null) {
      readProse(line, parsed);
      continue;
    }
    const end = closingOf(lines, index, fence[1] ?? '', (fence[2] ?? '').length);
    parsed.fences.push(lines.slice(index + 1, end).join('\n'));
    index = end;
  }
  return parsed;
}

/** First line that would close the fence for GitHub; it must be the one that Healer wrote: same indent, same length. */
function closingOf(lines: readonly string[], from: number, indent: string, length: number): number {
  const closes = (line: string): boolean => /^\s*`{3,}\s*$/.test(line) && line.trim().length >= length;
  const end = lines.findIndex((line, index) => index > from && closes(line));
  if (end < 0) throw new Error(`the fence of line ${from + 1} is not closed`);
  if (lines[end] !== indent + '`'.repeat(length)) throw new Error(`the fence of line ${from + 1} is closed by content`);
  return end;
}

function readProse(line: string, parsed: { headings: string[]; links: string[]; prose: string[] }): void {
  if (/^<!-- healer:(?:begin|end) [\w:.+/=-]+ -->$/.test(line)) return;
  if (line.startsWith('#')) parsed.headings.push(line);
  const withoutCode = dropCode(line);
  const rest = withoutCode.replaceAll(LINK, (_, text: string, url: string) => {
    parsed.links.push(url);
    return text;
  });
  refuse(line, rest);
  parsed.prose.push(rest);
}

/** Inline code by CommonMark's rule: a run of backticks is closed by the next run of the same length. */
function dropCode(line: string): string {
  let rest = line;
  let kept = '';
  for (;;) {
    const open = /`+/.exec(rest);
    if (open === null) return kept + rest;
    const run = open[0];
    const after = rest.slice(open.index + run.length);
    const close = new RegExp(`(?<!\`)${run}(?!\`)`).exec(after);
    if (close === null) throw new Error(`a backtick has no partner: ${line}`);
    kept += `${rest.slice(0, open.index)}C`;
    rest = after.slice(close.index + run.length);
  }
}

const FORBIDDEN: readonly (readonly [string, RegExp])[] = [
  ['HTML', /</],
  ['an image', /!\[/],
  ['a bracket of a link', /(?<!\\)[[\]]/],
  ['a mention or address', /@/],
  ['a reference', /#\d|\bGH-\d/i],
  ['a bare link', /:\/\/|\bwww\./i],
  ['a formula', /\$/],
  ['a commit', /(?=[a-f]*\d)[0-9a-f]{7,40}/],
  ['a quote or rule', /^\s{0,3}(?:>|(?:\*\s*){3,}$|={3,}$|~{3})/],
  ['emphasis', /(?<![\\*])\*(?!\*)|(?<!\\)~|(?<![\\])_/],
];

function refuse(line: string, rest: string): void {
  for (const [name, sign] of FORBIDDEN) {
    if (sign.test(rest)) throw new Error(`holds ${name}: ${JSON.stringify(line.slice(0, 300))}`);
  }
}
