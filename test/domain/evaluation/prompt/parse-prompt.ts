/** What a prompt's data holds, read back. */
export interface ParsedPrompt {
  readonly fence: string;
  readonly lines: readonly Record<string, unknown>[];
}

/** @throws Error when the text is not: a BEGIN line, JSON lines, the END line of the same fence, one closing sentence. */
export function parsePrompt(text: string): ParsedPrompt {
  const lines = text.split('\n');
  const [, fence = ''] = /^BEGIN (evidence-[0-9a-f]{32})$/.exec(lines[0] ?? '') ?? [];
  const end = lines.indexOf(`END ${fence}`);
  if (fence === '' || end !== lines.length - 2) throw new Error('the fence does not enclose the data');
  if (text.split(fence).length !== 3) throw new Error('the fence stands in the data');
  if (lines.at(-1) !== 'The data ends here. Answer in the shape that was asked for.')
    throw new Error('no last sentence');
  return { fence, lines: lines.slice(1, end).map((line) => JSON.parse(line) as Record<string, unknown>) };
}
