import type { Command } from '../command.ts';
import { type Switched, switchStage } from '../pause/switch-stage.ts';
import { FILE_HELP } from '../stage/stage.ts';

const HELP = `
Usage: healer resume --stage STAGE [--only NAME] [--json]

Starts a deployment again that healer pause let rest: its queues hand over, and
its schedule is enabled. What waited is worked off, and reading goes on where the
logs were proven, as far back as Loki keeps them.

Options:
${FILE_HELP}
  --only NAME        that alone, also several times; healer pause --help has them
  --json             prints JSON

It uses your AWS credentials, as the AWS CLI finds them.

Example:
  npx healer resume --stage prod
`;

export const command: Command = {
  summary: 'starts a deployment again that was paused',
  help: HELP,
  run: (args, io) => switchStage(args, io, true, say),
};

function say({ stage, words, turned }: Switched): string {
  const off = turned.filter(({ on }) => !on).map(({ name }) => name);
  if (off.length > 0) return `Stage ${stage} still rests in part: ${off.join(', ')}.`;
  return `Stage ${stage} works. Within two minutes it has looked at all that is active: npx healer smoke ${words}`;
}
