import { HealerError } from '#lib/domain/errors.ts';
import { VERSION } from '#lib/version.ts';
import { type CliIo, type Command, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';

/** Exit code of bad input and wrong usage. */
const BAD_INPUT = 2;

/** Runs `healer <command> …` and returns its exit code. Errors are one sentence on stderr, never a stack. */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  const [name = '--help', ...rest] = args;
  if (name === '--version') return print(io, `${VERSION}\n`);
  if (name === '--help' || name === '-h' || name === 'help') return print(io, await overview());
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) return complain(io, `there is no command "${name}"`, 'healer --help');
  const command = await load();
  if (rest.includes('--help') || rest.includes('-h')) return print(io, `${command.help.trim()}\n`);
  return runCommand(name, command, rest, io);
}

async function runCommand(name: string, command: Command, args: readonly string[], io: CliIo): Promise<number> {
  try {
    return await command.run(args, io);
  } catch (error) {
    const isUsage = error instanceof UsageError || isParseArgsError(error);
    if (isUsage) return complain(io, toUsageText(error.message), `healer ${name} --help`);
    if (error instanceof HealerError) return complain(io, error.message);
    throw error;
  }
}

/** `node:util` parseArgs reports unknown options and missing values with codes of this form. */
const isParseArgsError = (error: unknown): error is Error =>
  error instanceof TypeError && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');

/** A value that begins with a dash may be another option: Node says so in three lines. */
function toUsageText(message: string): string {
  const option = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument is ambiguous/.exec(message)?.[1];
  return option === undefined ? message : `${option} takes a value that begins with a dash only as ${option}=VALUE`;
}

function print(io: CliIo, text: string): number {
  io.stdout.write(text);
  return 0;
}

function complain(io: CliIo, message: string, help?: string): number {
  io.stderr.write(`healer: ${message}${help === undefined ? '' : `\n       see: ${help}`}\n`);
  return BAD_INPUT;
}

async function overview(): Promise<string> {
  const rows = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => `  ${name.padEnd(22)} ${(await load()).summary}`),
  );
  return [
    'Usage: healer <command> [options]',
    '',
    'Commands:',
    ...rows,
    '',
    'healer <command> --help tells more.',
    '',
  ].join('\n');
}
