const SIMPLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([\s\S]))/g;

/** Value of a Go string literal, in double quotes or backticks, as `strconv.Unquote` reads it; undefined when malformed. */
export function unquote(literal: string): string | undefined {
  const inner = literal.slice(1, -1);
  if (literal.length >= 2 && literal.startsWith('`') && literal.endsWith('`')) return inner.replaceAll('\r', '');
  if (literal.length < 2 || !literal.startsWith('"') || !literal.endsWith('"') || inner.includes('\n'))
    return undefined;
  let isValid = true;
  const value = inner.replace(ESCAPE, (_all, byte, short, long, octal, simple) => {
    const plain = simple === undefined ? toRune(byte ?? short ?? long, octal) : SIMPLE[simple];
    isValid &&= plain !== undefined;
    return plain ?? '';
  });
  return isValid ? value : undefined;
}

function toRune(hex: string | undefined, octal: string | undefined): string | undefined {
  const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code > 0x10ffff || isSurrogate ? undefined : String.fromCodePoint(code);
}
