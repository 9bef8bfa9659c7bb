import type { Command } from '../command.ts';
import { type Switched, switchStage } from '../pause/switch-stage.ts';
import { SWITCH_NAMES } from '../pause/switches.ts';
import { FILE_HELP } from '../stage/stage.ts';

const HELP = `
Usage: healer pause --stage STAGE [--only NAME] [--json]

Lets a deployment rest: its schedule is disabled, and its queues hand nothing
over. What is under way is finished. Nothing is lost: plays can be announced and
ended, messages wait up to 14 days, and the logs are read from where they were
proven when healer resume starts it again.

Options:
${FILE_HELP}
  --only NAME        that alone, also several times: ${SWITCH_NAMES.slice(0, 3).join(', ')},
                     ${SWITCH_NAMES.slice(3).join(', ')}; e.g. publication, so that nothing
                     is written to GitHub
  --json             prints JSON

It uses your AWS credentials, as the AWS CLI finds them.

Example:
  npx healer pause --stage prod
`;

/** What each switch that is off keeps waiting. */
const WAITS = {
  sweep: 'nothing is looked at by itself, and what is overdue is not asked for again',
  window: 'logs are not read and nothing is found',
  evidence: 'no evidence is gathered',
  evaluation: 'nothing is diagnosed',
  publication: 'nothing is written to GitHub',
  remediation: 'no fix is proposed',
} as const;

export const command: Command = {
  summary: 'lets a deployment rest without losing anything',
  help: HELP,
  run: (args, io) => switchStage(args, io, false, say),
};

function say({ stage, words, turned }: Switched): string {
  const off = turned.filter(({ on }) => !on).map(({ name }) => name);
  const isWhole = off.length === turned.length;
  return [
    isWhole ? `Stage ${stage} is paused.` : `Stage ${stage} is paused in part.`,
    'Goes on: plays are announced and ended, events of GitHub are taken, messages wait up to 14 days.',
    `Waits: ${off.map((name) => WAITS[name]).join('; ')}.`,
    ...(off.includes('sweep') ? ['The alarm sweep-silent fires in five minutes.'] : []),
    ...(off.some((name) => name !== 'sweep' && name !== 'window')
      ? ['Alarms of queues in which work waits fire after 15 minutes.']
      : []),
    `Start it again: npx healer resume ${words}`,
  ].join('\n');
}
