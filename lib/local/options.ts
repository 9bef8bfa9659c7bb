import { parseArgs } from 'node:util';
import { DEMO_FAULTS, type DemoFault } from './demo/run-demo.ts';

/** What `npm start` was asked for. */
export interface RunOptions {
  readonly port: number;
  readonly once: boolean;
  readonly keep: boolean;
  /** Real peers of the host's environment in the place of the demo. */
  readonly live: boolean;
  /** With `live`: writes on GitHub from the start. */
  readonly file: boolean;
  /** Faults that the demo is played with. */
  readonly faults: readonly DemoFault[];
  readonly help: boolean;
}

const DEFAULT_PORT = 8083;

export const HELP = `Healer on this machine: packages the service and runs that package, without an account.

  npm start                    plays the demo, then serves http://localhost:${DEFAULT_PORT}; Ctrl-C ends it
  npm start -- --once          plays the demo once, checks what came of it and ends
  npm start -- --fault NAME    with a fault: ${DEMO_FAULTS.join(', ')} (may be repeated)
  npm start -- --port 9000     another port (or HEALER_PORT=9000)
  npm start -- --keep          keeps tables, queues, logs and clock in .healer/state between runs
  npm start -- --live          real peers of the environment, in a dry run: what would be filed is printed, the key f
                               files it; keeps its state in .healer/live
  npm start -- --live --file   files at once
  npm start -- --help          this text

--live needs LOKI_URL (with LOKI_USER and LOKI_PASSWORD, LOKI_TENANT, LOKI_SELECTOR, LOKI_POD_LABEL where wanted),
ALLOWED_REPOSITORIES, and GITHUB_TOKEN or GITHUB_APP_ID with GITHUB_APP_KEY (or GITHUB_APP_KEY_FILE). A cluster is read
when KUBECONFIG (its current context, with a token) or KUBE_URL, KUBE_TOKEN and KUBE_CA are set; a context that signs in
with a certificate or a plugin needs KUBE_TOKEN besides.

The demo uses a Loki and a GitHub of its own. ALLOWED_REPOSITORIES=other/repo lets further plays be announced.
`;

/** @throws Error with a sentence for whoever typed the command */
export function parseOptions(
  args: readonly string[],
  env: { readonly [name: string]: string | undefined },
): RunOptions {
  const { port, once, keep, live, file, help, fault } = parseFlags(args);
  if (live && (once || fault.length > 0)) throw new Error('--once and --fault belong to the demo, not to --live');
  if (file && !live) throw new Error('--file goes with --live: the demo files on a GitHub of its own');
  const text = port ?? env['HEALER_PORT'] ?? String(DEFAULT_PORT);
  return { port: parsePort(text), once, keep, live, file, help, faults: fault.map(parseFault) };
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        once: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        live: { type: 'boolean', default: false },
        file: { type: 'boolean', default: false },
        fault: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error);
    throw new Error(`${reason}; npm start -- --help lists what is known`, { cause: error });
  }
}

function parseFault(name: string): DemoFault {
  const fault = DEMO_FAULTS.find((known) => known === name);
  if (fault !== undefined) return fault;
  throw new Error(`there is no fault "${name}"; known are ${DEMO_FAULTS.join(', ')}`);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`the port must be a number from 0 to 65535, not "${text}"`);
}
