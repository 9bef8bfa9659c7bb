import { parseArgs } from 'node:util';
import { isSecretName, SECRET_NAMES, SECRETS } from '#lib/domain/deployment/secrets.ts';
import { ConflictError } from '#lib/domain/errors.ts';
import { type CliIo, type Command, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import { toSecretValue } from '../secret/check-value.ts';
import { toSecretLines, toSecretRows } from '../secret/list-secrets.ts';
import { readValue } from '../secret/read-value.ts';
import { openSecretStore, type SecretStore } from '../secret/secret-store.ts';
import { type ConfiguredStage, FILE_HELP, FILE_OPTIONS, readStage } from '../stage/stage.ts';

const HELP = `
Usage: healer secret set NAME --stage STAGE [--force]
       healer secret list --stage STAGE [--json]

Secrets of a deployment, in the SSM Parameter Store and nowhere else. The value
is typed unseen, or comes by stdin; it is never an argument and never shown.
A changed one counts within minutes, without a deployment.

Names:
${SECRET_NAMES.map((name) => `  ${name.padEnd(23)} ${SECRETS[name]}`).join('\n')}

Options:
${FILE_HELP}
  --force            replaces a stored value without asking
  --json             prints JSON

It uses your AWS credentials, as the AWS CLI finds them. list ends with 1 when a
secret that the configuration wants is missing.

Examples:
  npx healer secret set loki-password --stage prod
  npx healer secret set github-app-key --stage prod < healer.private-key.pem
`;

const OPTIONS = {
  ...FILE_OPTIONS,
  force: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });

type Values = ReturnType<typeof parse>['values'];

export const command: Command = {
  summary: 'stores the secrets of a deployment, and says which are missing',
  help: HELP,
  async run(args, io) {
    const { values, positionals } = parse(args);
    const [verb, ...names] = positionals;
    if (verb === 'set') return set(toName(names), values, io);
    if (verb === 'list' && names.length === 0) return list(values, io);
    throw new UsageError(verb === 'list' ? 'too many words' : 'say what to do: set, list');
  },
};

/** The name alone: what else stands there may be the value, and is not repeated. */
function toName(words: readonly string[]) {
  const [name = ''] = words;
  if (words.length > 1) throw new UsageError('give the name alone: the value is asked for, or comes by stdin');
  if (isSecretName(name)) return name;
  throw new UsageError(`the name of a secret is one of ${SECRET_NAMES.join(', ')}`);
}

async function set(name: ReturnType<typeof toName>, values: Values, io: CliIo): Promise<number> {
  const stage = await readStage(values, io.env);
  const value = toSecretValue(name, await readValue(name, io));
  const store = openSecretStore(stage);
  const isStored = await store.put(name, value, { isReplacing: values.force });
  if (!isStored) await replace(store, name, value, io);
  const path = store.pathOf(name);
  if (values.json) io.stdout.write(`${JSON.stringify({ name, path })}\n`);
  else io.stdout.write(`${path} is set, encrypted, in ${stage.region}.\n`);
  return 0;
}

/** @throws ConflictError when the stored value is to stay */
async function replace(store: SecretStore, name: ReturnType<typeof toName>, value: string, io: CliIo): Promise<void> {
  const path = store.pathOf(name);
  const isMeant = await confirm(io, `${path} is set. Replace it?`);
  if (isMeant !== true) throw new ConflictError(`${path} is set already; --force replaces it`);
  await store.put(name, value, { isReplacing: true });
}

async function list(values: Values, io: CliIo): Promise<number> {
  const stage: ConfiguredStage = await readStage(values, io.env);
  const rows = toSecretRows(stage, await openSecretStore(stage).list());
  if (values.json) io.stdout.write(`${JSON.stringify({ stage: stage.name, secrets: rows })}\n`);
  else io.stdout.write(`${toSecretLines(rows)}\n`);
  return rows.some(({ state }) => state === 'missing' || state === 'unencrypted') ? 1 : 0;
}
