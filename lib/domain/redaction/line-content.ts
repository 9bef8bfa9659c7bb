/** What collectors and loggers put before a message, each part anchored where it is tried. */
const PREFIX_PARTS: readonly RegExp[] = [
  /\s{1,64}/y,
  /\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?\]?/y,
  /\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?/y,
  /[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d/y,
  /[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{1,9}/y,
  /\d{10}(?:\d{3}|\d{6}|\d{9}|\.\d{1,9})?(?=\s)/y,
  /(?:stdout|stderr) [FP](?= )/y,
  /[FP](?= )/y,
  /\[[^\]\n"]{0,80}\]:?/y,
  /<\d{1,3}>/y,
  /(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|VERBOSE)(?:\s?[:|-])?(?=[\s\]])/iy,
  /level=\w{1,10}(?=\s)/y,
  /[\w./-]{1,63}\s{0,16}\|(?=\s)/y,
  /[|│>·](?=\s)/y,
];

/** A message inside a JSON record. */
const JSON_MESSAGE = /"(?:msg|message|log|text|body|line|content|output)"\s{0,2}:\s{0,2}"/;

const MAX_PARTS = 12;

/** Where a line's own words stand: `[start, end)` behind time, level, stream, pod and JSON record, before trailing blanks. */
export function contentOf(line: string): readonly [start: number, end: number] {
  const start = prefixLength(line);
  const record =
    line[start] === '{' && line.trimEnd().endsWith('}') ? JSON_MESSAGE.exec(line.slice(start, start + 4096)) : null;
  if (record === null) return [start, Math.max(start, line.trimEnd().length)];
  const from = start + record.index + record[0].length;
  return [from, Math.max(from, endOfString(line, from))];
}

function prefixLength(line: string): number {
  let at = 0;
  for (let round = 0; round < MAX_PARTS; round += 1) {
    const part = PREFIX_PARTS.find((pattern) => {
      pattern.lastIndex = at;
      return pattern.test(line);
    });
    if (part === undefined) break;
    at = part.lastIndex;
  }
  return at;
}

/** End of a JSON string's content, without an escaped newline at its end. */
function endOfString(line: string, from: number): number {
  let at = from;
  while (at < line.length && line[at] !== '"') at += line[at] === '\\' ? 2 : 1;
  const end = Math.min(at, line.length);
  return line.slice(from, end).endsWith('\\n') ? end - 2 : end;
}
