import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type Deployment, parseDeployment } from '#lib/domain/deployment/deployment.ts';
import { toConfigError } from '#lib/domain/deployment/faults.ts';
import { secretsOf } from '#lib/domain/deployment/needed-secrets.ts';
import { renderDeployment } from '#lib/domain/deployment/render.ts';
import { toSetCommand } from '#lib/domain/deployment/secrets.ts';
import { fileOf, toStage } from '#lib/domain/deployment/stage.ts';
import { ConfigError } from '#lib/domain/errors.ts';
import type { CliIo, Command } from '../command.ts';
import { hasDeployment, parseYaml } from '../deployment-file.ts';
import { toSetupCommand } from '../github-app/setup-command.ts';
import { type Answers, parseSettings, toInput } from '../init/answers.ts';

const HELP = `
Usage: healer init [--stage STAGE] [--set FIELD=VALUE]... [--yes] [--force]

Asks what a deployment needs to know, and writes healer.<stage>.yml with a
comment for every field. Secrets are not asked for: healer secret set does.

  --stage STAGE      whose file (default: HEALER_STAGE, else dev)
  --set FIELD=VALUE  answers a question, or sets any other field, e.g.
                     --set loki.url=https://loki.example.com; may be repeated
  --yes              asks nothing: what is not set gets its default
  --force            overwrites a file that is there
  --folder FOLDER    where the file is written (default: here)

Without a terminal nothing is asked either, but stdin is read: a file of the
same form, in which what has a default may be missing.

Example: healer init --stage prod --yes --set 'repositories.allowed=acme/*' \\
           --set loki.url=https://loki.example.com
`;

const OPTIONS = {
  stage: { type: 'string' },
  set: { type: 'string', multiple: true, default: [] as string[] },
  yes: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  folder: { type: 'string', default: '.' },
} as const;

export const command: Command = {
  summary: 'asks for the configuration of a deployment and writes its file',
  help: HELP,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const stage = toStage(values.stage ?? (io.env['HEALER_STAGE'] || 'dev'));
    const file = fileOf(stage);
    if (!values.force && (await hasDeployment(stage, values.folder)))
      throw new ConfigError(
        `${join(values.folder, file)} is there already: change it by hand, or say --force to write it anew`,
      );
    const given = parseSettings(values.set, stage);
    const deployment = toDeployment(stage, await readInput(io, stage, values.yes, given));
    await write(join(values.folder, file), renderDeployment(deployment), values.force);
    io.stdout.write(`\n${join(values.folder, file)} is written. What comes next:\n\n${toSteps(deployment)}\n`);
    return 0;
  },
};

async function readInput(io: CliIo, stage: string, isSilent: boolean, given: Answers): Promise<unknown> {
  if (isSilent) return toInput(given, {});
  if (io.stdin.isTTY === true) {
    return toInput(await askPerson(io, stage, given), {});
  }
  const piped = await readAll(io.stdin);
  return toInput(given, parseYaml(piped, 'what came by stdin') ?? {});
}

/** @throws ConfigError when the person goes away */
async function askPerson(io: CliIo, stage: string, given: Answers): Promise<Answers> {
  const { ask } = await import('../init/ask.ts');
  try {
    return await ask(io, stage, given);
  } catch (cause) {
    const hasLeft = cause instanceof Error && /^(?:Exit|Abort|Cancel)PromptError$/.test(cause.name);
    throw hasLeft ? new ConfigError('nothing is written', { cause }) : cause;
  }
}

/** @throws ConfigError with all faults at once */
function toDeployment(stage: string, input: unknown): Deployment {
  try {
    return parseDeployment(input, stage);
  } catch (error) {
    if (!(error instanceof ConfigError) || error.faults.length === 0) throw error;
    throw toConfigError(`${fileOf(stage)} is not written; with what was said it has`, error.faults);
  }
}

async function write(path: string, text: string, isForced: boolean): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: isForced ? 'w' : 'wx' });
  } catch (cause) {
    throw new ConfigError(`${path} cannot be written (${(cause as NodeJS.ErrnoException).code})`, { cause });
  }
}

/** Commands that lead from the file to a deployment. */
function toSteps(deployment: Deployment): string {
  const { stage } = deployment;
  const own = secretsOf(deployment).filter(({ name, isRequired }) => isRequired && !name.startsWith('github-'));
  return [
    toSetupCommand(deployment),
    ...own.map(({ name }) => toSetCommand(name, stage)),
    `npx serverless deploy --stage ${stage}`,
  ]
    .map((line) => `  ${line}`)
    .join('\n');
}
