import { parseArgs } from 'node:util';
import type { CliIo, Command } from '../command.ts';
import { toPlan } from '../smoke/plan.ts';
import { type SmokeResult, smoke } from '../smoke/smoke.ts';
import { findStage } from '../stage/find-stage.ts';
import { FILE_HELP, FILE_OPTIONS } from '../stage/stage.ts';

const HELP = `
Usage: healer smoke --stage STAGE [--json]

Announces a marked play to a deployment, as its callers do, and sees it through:
it is started through the API with a token, seen, its logs are read, the schedule
sweeps it, and it is ended. A line a step with its time; the first that fails
ends the test. What it made is given back: the token is revoked, the session
ended. It takes up to three minutes, files no issue and asks no model.

Options:
${FILE_HELP}
  --repository NAME  that the play is of (default: one that the file allows)
  --namespace NAME   that is read (default: the file's first, else cto)
  --url URL          of the API (default: HEALER_URL, else what the stack says)
  --json             prints JSON

It uses your AWS credentials, as the AWS CLI finds them, and HEALER_TOKEN where
it is set; else it makes a token for the time of the test. Ends with 1 when a
step fails.

Example:
  npx healer smoke --stage prod
`;

const OPTIONS = {
  ...FILE_OPTIONS,
  repository: { type: 'string' },
  namespace: { type: 'string' },
  url: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

export const command: Command = {
  summary: 'sees a marked play through a deployment, from start to end',
  help: HELP,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const stage = await findStage(values, io.env);
    if (stage.lack?.kind === 'wrong') throw stage.lack.error;
    const plan = toPlan(stage, values, io.env);
    const onResult = values.json ? () => {} : toPrinter(io);
    const results = await smoke(plan, { env: io.env, signal: io.signal, onResult });
    const isWell = results.every(({ ok }) => ok);
    if (values.json)
      io.stdout.write(`${JSON.stringify({ stage: stage.name, ok: isWell, play_id: plan.playId, steps: results })}\n`);
    else io.stdout.write(`Stage ${stage.name} ${toVerdict(results)}.\n`);
    return isWell ? 0 : 1;
  },
};

function toVerdict(results: readonly SmokeResult[]): string {
  if (results.some(({ ok }) => !ok)) return 'does not work';
  return results.every(({ advice }) => advice === null) ? 'works' : 'works, as far as this could prove it';
}

const toPrinter =
  (io: CliIo) =>
  ({ step, ok, seconds, seen, advice }: SmokeResult): void => {
    const time = `${seconds.toFixed(1)} s`.padStart(8);
    io.stdout.write(`${time}  ${(ok ? 'ok' : 'FAILED').padEnd(6)}  ${step.padEnd(11)}  ${seen}\n`);
    if (advice !== null) io.stdout.write(`${' '.repeat(18)}${advice}\n`);
  };
