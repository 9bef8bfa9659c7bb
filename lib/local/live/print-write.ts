import * as z from 'zod';
import type { Write } from './dry-run-github.ts';

/** What of a body a person can read: an issue, a comment, a pull request. */
const Readable = z.object({
  title: z.string().optional(),
  body: z.string().optional(),
  labels: z.array(z.string()).optional(),
});

/** A write as text: what was asked, what became of it, and what it says where it has words. */
export function toText({ method, path, body, status }: Write): string {
  const head = `${method} ${path}`;
  if (status !== undefined) return `written on GitHub: ${head}, answered ${status}`;
  const { title, body: text, labels } = parseReadable(body);
  const words = [title, labels && `[${labels.join(', ')}]`, text].filter((part) => part !== undefined);
  return [`held, nothing is written on GitHub: ${head}`, ...words.map(indented)].join('\n\n');
}

function parseReadable(body: string): z.infer<typeof Readable> {
  try {
    return Readable.safeParse(JSON.parse(body)).data ?? {};
  } catch {
    return {};
  }
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');
