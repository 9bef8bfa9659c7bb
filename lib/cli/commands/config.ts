import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import type { Deployment } from '#lib/domain/deployment/deployment.ts';
import { secretsOf } from '#lib/domain/deployment/needed-secrets.ts';
import { fileOf, isStage } from '#lib/domain/deployment/stage.ts';
import { defaultParameters, toParameters } from '#lib/domain/deployment/to-parameters.ts';
import { ConfigError } from '#lib/domain/errors.ts';
import type { CliIo, Command } from '../command.ts';
import { hasDeployment, readDeployment } from '../deployment-file.ts';

const HELP = `
Usage: healer config [--stage STAGE] [--secrets] [--json]

Checks healer.<stage>.yml in this folder and shows what it amounts to: every
field with its value, and the secrets that it asks for. Faults are told all at
once, each with where it is and what to write; the exit code is 2 then.

  --stage STAGE    whose file (default: HEALER_STAGE, else dev)
  --secrets        asks AWS whether the required secrets are stored, too
  --folder FOLDER  where the file is (default: here)
  --json           as JSON, with the parameters of the template; faults too
  --or-defaults    the parameters of the template without a right file, too:
                   the defaults, with which no deployment works

Example: healer config --stage prod
`;

const OPTIONS = {
  stage: { type: 'string' },
  secrets: { type: 'boolean', default: false },
  folder: { type: 'string', default: '.' },
  json: { type: 'boolean', default: false },
  'or-defaults': { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parse>['values'];
const parse = (args: readonly string[]) => parseArgs({ args: [...args], options: OPTIONS });

export const command: Command = {
  summary: 'checks and shows the configuration of a deployment',
  help: HELP,
  async run(args, io) {
    const { values } = parse(args);
    const stage = values.stage ?? (io.env['HEALER_STAGE'] || 'dev');
    if (values.json) return printJson(stage, values, io);
    const deployment = await readDeployment(stage, values.folder);
    const warning = values.secrets ? await warnOfSecrets(deployment) : undefined;
    if (warning !== undefined) io.stderr.write(`healer: ${warning}\n`);
    return print(io, toText(deployment));
  },
};

/** Programs get faults where they look for the answer. */
async function printJson(stage: string, values: Values, io: CliIo): Promise<number> {
  try {
    return print(io, toJson(await describe(stage, values)));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const faults = error.faults.length > 0 ? error.faults : [{ path: '', message: error.message }];
    const parameters = values['or-defaults'] && isStage(stage) ? defaultParameters(stage) : undefined;
    print(io, toJson({ stage, file: fileOf(stage), faults, parameters }));
    return 2;
  }
}

async function describe(stage: string, values: Values): Promise<object> {
  if (values['or-defaults'] && !(await hasDeployment(stage, values.folder)))
    return { stage, file: null, parameters: defaultParameters(stage) };
  const deployment = await readDeployment(stage, values.folder);
  const warning = values.secrets ? await warnOfSecrets(deployment) : undefined;
  const secrets = secretsOf(deployment).map(({ isRequired, ...secret }) => ({ ...secret, required: isRequired }));
  return { stage, file: fileOf(stage), deployment, secrets, parameters: toParameters(deployment), warning };
}

/** The SDK is loaded only when AWS is asked: the framework asks for the parameters at every command. */
const warnOfSecrets = async (deployment: Deployment): Promise<string | undefined> =>
  (await import('../check-secrets.ts')).checkSecrets(deployment);

function toText(deployment: Deployment): string {
  const { stage, ...fields } = deployment;
  const rows = secretsOf(deployment).map(
    ({ name, what, isRequired }) => `  ${name.padEnd(24)}${isRequired ? '' : 'where wanted: '}${what}`,
  );
  return [
    `${fileOf(stage)} is in order. With defaults it says:`,
    '',
    stringify(fields, { nullStr: 'none', lineWidth: 0 }),
    `Secrets, below ${deployment.secrets.prefix} (npx healer secret set NAME --stage ${stage}):`,
    ...rows,
  ].join('\n');
}

const toJson = (value: object): string => JSON.stringify(value, null, 2);

function print(io: CliIo, text: string): number {
  io.stdout.write(`${text}\n`);
  return 0;
}
