import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { closeServer } from '#lib/local/ground.ts';
import { listenOn } from '#lib/local/http/api.ts';
import { type Command, UsageError } from '../command.ts';
import { createRelay } from '../relay/serve-relay.ts';
import { parseTarget } from '../relay/target.ts';

const HELP = `
Usage: healer relay [--url URL] [--token-file FILE] [--port N]

Lets the original MCP server announce plays without a change: it speaks plain
HTTP to an IP address and sends no token. The relay listens on 127.0.0.1, adds
the token and forwards to Healer by HTTPS. Set healerEndpoint of the MCP server
to the address that the relay prints.

Options:
  --url URL          Healer's address (or HEALER_URL); https, or this machine
  --token-file FILE  file with the token (or HEALER_TOKEN)
  --port N           port to listen on (default: 8084; 0 takes a free one)

Example:
  HEALER_URL=http://127.0.0.1:8083 npx healer relay
`;

const OPTIONS = {
  url: { type: 'string' },
  'token-file': { type: 'string' },
  port: { type: 'string', default: '8084' },
} as const;

export const command: Command = {
  summary: 'lets a caller that speaks plain HTTP reach Healer by HTTPS, with a token',
  help: HELP,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const target = await parseTarget({ url: values.url, tokenFile: values['token-file'] }, io.env);
    const say = (text: string): void => void io.stderr.write(`${text}\n`);
    const relay = createRelay({ ...target, onAnswer: ({ status, message }) => say(`${status} ${message}`) });
    const port = await listen(relay, values.port);
    say(`Relaying http://127.0.0.1:${port} to ${target.url.origin}. Ctrl-C ends it.`);
    if (!io.signal.aborted) await once(io.signal, 'abort');
    await closeServer(relay);
    return 0;
  },
};

async function listen(relay: ReturnType<typeof createRelay>, port: string): Promise<number> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError('--port must be a number from 0 to 65535');
  try {
    return await listenOn(relay, Number(port));
  } catch (error) {
    throw new UsageError(`port ${port} is taken; choose another one with --port`, { cause: error });
  }
}
