import { parseArgs } from 'node:util';

/** What `npm start` was asked for. */
export interface RunOptions {
  readonly port: number;
  readonly once: boolean;
  readonly keep: boolean;
  readonly help: boolean;
}

const DEFAULT_PORT = 8083;

export const HELP = `Healer on this machine: packages the service and runs that package, without an account.

  npm start                    the session API on http://localhost:${DEFAULT_PORT}; Ctrl-C ends it
  npm start -- --once          runs the stages once, checks their answers and ends
  npm start -- --port 9000     another port (or HEALER_PORT=9000)
  npm start -- --keep          keeps tables, queues, logs and clock in .healer/state between runs
  npm start -- --help          this text

ALLOWED_REPOSITORIES=acme/*,other/repo names the repositories whose plays may be announced (acme/* without it).
`;

/** @throws Error with a sentence for whoever typed the command */
export function parseOptions(
  args: readonly string[],
  env: { readonly [name: string]: string | undefined },
): RunOptions {
  const { port, once, keep, help } = parseFlags(args);
  return { port: parsePort(port ?? env['HEALER_PORT'] ?? String(DEFAULT_PORT)), once, keep, help };
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        once: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error);
    throw new Error(`${reason}; npm start -- --help lists what is known`, { cause: error });
  }
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`the port must be a number from 0 to 65535, not "${text}"`);
}
