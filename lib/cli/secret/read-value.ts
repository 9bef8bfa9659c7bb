import { SECRETS, type SecretName } from '#lib/domain/deployment/secrets.ts';
import { InputError } from '#lib/domain/errors.ts';
import { type CliIo, UsageError } from '../command.ts';
import { toPromptStreams } from '../confirm.ts';
import { isOneLine, MOST_BYTES } from './check-value.ts';

/** What a person typed, unseen, or all of stdin. @throws InputError, UsageError */
export async function readValue(name: SecretName, io: CliIo): Promise<string> {
  if (io.stdin.isTTY !== true) return readAll(io);
  if (!isOneLine(name)) throw new UsageError(`${name} has several lines: healer secret set ${name} < FILE`);
  const { password } = await import('@inquirer/prompts');
  return asked(
    password({ message: `${name}, ${SECRETS[name]}:`, mask: false, toggleMask: false }, toPromptStreams(io)),
  );
}

/** @throws InputError when the person pressed Ctrl-C */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isEnd = error instanceof Error && /^(ExitPrompt|AbortPrompt|CancelPrompt)Error$/.test(error.name);
    throw isEnd ? new InputError('nothing was stored', []) : error;
  }
}

async function readAll({ stdin }: CliIo): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk as Buffer);
    bytes += part.length;
    // A line break at the end is not counted against the value.
    if (bytes > MOST_BYTES + 2) throw new InputError(`a secret is at most ${MOST_BYTES} bytes long`);
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}
