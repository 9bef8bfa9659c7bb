import { parseArgs } from 'node:util';
import type { Command } from '../command.ts';
import { examine } from '../doctor/examine.ts';
import { toDoctorLines, toExitCode } from '../doctor/finding.ts';
import { findStage } from '../stage/find-stage.ts';
import { FILE_HELP, FILE_OPTIONS } from '../stage/stage.ts';

const HELP = `
Usage: healer doctor --stage STAGE [--json]

Looks at a deployment and says, a line each, what is well, or what is wrong and
what to do: stack, functions and their roles, secrets, schedule, last sweep,
queues, dead letters, Loki and Kubernetes as the deployed function sees them,
models, the GitHub App, its installations and its webhook, clocks.

Options:
${FILE_HELP}
  --json             prints JSON

Ends with 0 when all is well, with 1 when something is wrong, with 2 when it
could not be asked, or it is too early to say. Without the stage's file it looks
at what needs none. It uses your AWS credentials, as the AWS CLI finds them,
changes nothing, and shows no secret. Asking a model costs some tokens.

Example:
  npx healer doctor --stage prod
`;

const OPTIONS = { ...FILE_OPTIONS, json: { type: 'boolean', default: false } } as const;

export const command: Command = {
  summary: 'says whether a deployment is well, or what to do',
  help: HELP,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const stage = await findStage(values, io.env);
    const checks = await examine(stage);
    const code = toExitCode(checks);
    const { name, region } = stage;
    const report = values.json
      ? JSON.stringify({ stage: name, region, ok: code === 0, checks })
      : toDoctorLines(checks);
    io.stdout.write(`${report}\n`);
    return code;
  },
};
