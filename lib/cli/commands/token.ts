import { parseArgs } from 'node:util';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { createToken } from '#lib/app/create-token.ts';
import type { TokenStore } from '#lib/app/ports.ts';
import { NotFoundError } from '#lib/domain/errors.ts';
import { MILLIS_PER_DAY, toIso } from '#lib/domain/time.ts';
import { type CliIo, type Command, UsageError } from '../command.ts';
import { findStage } from '../stage/find-stage.ts';
import { FILE_HELP, FILE_OPTIONS, parseStage } from '../stage/stage.ts';
import { toTokenJson, toTokenLines } from '../token-list.ts';
import { openTokenTable } from '../token-table.ts';

const HELP = `
Usage: healer token create [--name NAME] [--expires-days N]
       healer token list [--all]
       healer token revoke ID

Bearer tokens of the session API. A token is shown once, when it is made, and
stored as a hash. Two may be live at a time: make the second, change the callers
over, revoke the first. A revoked token is refused within five minutes.

Options:
  --name NAME        what you call it, e.g. its caller (default: mcp)
  --expires-days N   it stops working after N days (default: never)
  --all              lists revoked and expired ones too
${FILE_HELP}
  --local            the stack that npm start runs on this machine
  --json             prints JSON

Without --local it uses your AWS credentials, as the AWS CLI finds them.
HEALER_ENDPOINT names another DynamoDB endpoint.

Example:
  HEALER_TOKEN=$(npx healer token create --local)
`;

const OPTIONS = {
  name: { type: 'string', default: 'mcp' },
  'expires-days': { type: 'string' },
  all: { type: 'boolean', default: false },
  ...FILE_OPTIONS,
  local: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });

type Values = ReturnType<typeof parse>['values'];
type Verb = (tokens: TokenStore, io: CliIo, values: Values, id: string | undefined) => Promise<void>;

const VERBS: Readonly<Record<string, Verb>> = { create, list, revoke };

export const command: Command = {
  summary: 'makes, lists and revokes bearer tokens of the session API',
  help: HELP,
  async run(args, io) {
    const { values, positionals } = parse(args);
    const [name = '', ...ids] = positionals;
    const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
    if (verb === undefined) throw new UsageError(`say what to do: ${Object.keys(VERBS).join(', ')}`);
    if (ids.length !== (name === 'revoke' ? 1 : 0))
      throw new UsageError(name === 'revoke' ? 'say which token: its id is in healer token list' : 'too many words');
    const stage = values.local ? parseStage(values, io.env) : await findStage(values, io.env);
    await verb(await openTokenTable({ stage, isLocal: values.local, env: io.env }), io, values, ids[0]);
    return 0;
  },
};

/** The token alone goes to stdout, so that a shell can take it. */
async function create(tokens: TokenStore, io: CliIo, values: Values): Promise<void> {
  const lifetime = parseDays(values['expires-days']);
  const { id, token, name, expiresAt } = await createToken(
    { tokens, clock: systemClock },
    { name: values.name, lifetime },
  );
  const end = expiresAt === null ? null : toIso(expiresAt);
  if (values.json) return print(io, JSON.stringify({ id, name, token, expires_at: end }));
  io.stderr.write(`Token ${id} (${name})${end === null ? '' : `, until ${end}`}. It is shown this once:\n`);
  return print(io, token);
}

function parseDays(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text) * MILLIS_PER_DAY;
  throw new UsageError('--expires-days must be a whole number of days from 1 to 9999');
}

async function list(tokens: TokenStore, io: CliIo, { all, json }: Values): Promise<void> {
  const now = systemClock.now();
  const listed = (await tokens.list()).map((record) => toTokenJson(record, now));
  const shown = all ? listed : listed.filter(({ state }) => state === 'live');
  print(io, json ? JSON.stringify({ tokens: shown }) : toTokenLines(shown));
}

async function revoke(tokens: TokenStore, io: CliIo, { json }: Values, id = ''): Promise<void> {
  const record = await tokens.revoke(id, systemClock.now());
  if (record === undefined)
    throw new NotFoundError(`there is no token ${id.slice(0, 64)}; healer token list has their ids`);
  const { name, revokedAt } = record;
  const at = toIso(revokedAt ?? systemClock.now());
  if (json) return print(io, JSON.stringify({ id, name, revoked_at: at }));
  return print(io, `Token ${id} (${name}) is revoked since ${at}; it is refused within five minutes.`);
}

const print = (io: CliIo, text: string): void => void io.stdout.write(`${text}\n`);
