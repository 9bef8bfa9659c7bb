import { PassThrough } from 'node:stream';
import type { CliIo } from './command.ts';

/** Where a prompt reads and writes. It ends the stream that it writes to; stderr goes on. */
export function toPromptStreams({ stdin, stderr, signal }: CliIo) {
  const output = Object.assign(new PassThrough(), { columns: stderr.columns });
  output.on('data', (chunk: Buffer) => void stderr.write(chunk));
  return { input: stdin, output, signal };
}

/** Asks a person; no by default, and by Ctrl-C. Undefined: there is nobody at a terminal to be asked. */
export async function confirm(io: CliIo, message: string): Promise<boolean | undefined> {
  if (io.stdin.isTTY !== true) return undefined;
  const prompts = await import('@inquirer/prompts');
  try {
    return await prompts.confirm({ message, default: false }, toPromptStreams(io));
  } catch (error) {
    if (error instanceof Error && /^(ExitPrompt|AbortPrompt|CancelPrompt)Error$/.test(error.name)) return false;
    throw error;
  }
}
