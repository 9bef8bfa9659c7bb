import { parseArgs } from 'node:util';
import { createHealerClient, HealerCallError, type SessionDetail } from '#lib/client/index.ts';
import { toVisibleLine } from '#lib/domain/publication/safe-text.ts';
import { type Command, UsageError } from '../command.ts';

const HELP = `
Usage: healer explain-attribution PLAY_ID [--json]

Says why lines of a log belong to a play: which rule claimed how many pods and
lines, and which pods of the play's namespace no session claims.

Rules, the first that matches decides:
  play-label     a label of the line is the play_id
  pod-name       the pod's name begins with play_id or play-play_id
  service-task   labels service and task-id of exactly one session
  owner          the pod's owner in Kubernetes belongs to the play

Options:
  --json         the answer as JSON

Environment:
  HEALER_URL     where Healer is (default: http://localhost:8083, npm start)
  HEALER_TOKEN   a token of \`healer token create\`; npm start needs none

Example:
  npx healer explain-attribution play-7f3a
`;

const DEFAULT_URL = 'http://localhost:8083';

export const command: Command = {
  summary: 'says which rule claimed the pods of a play, and which pods no rule did',
  help: HELP,
  async run(args, io) {
    const options = { json: { type: 'boolean', default: false } } as const;
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [playId, ...rest] = positionals;
    if (playId === undefined || rest.length > 0) throw new UsageError('name one play: explain-attribution PLAY_ID');
    try {
      const url = io.env['HEALER_URL'] || DEFAULT_URL;
      const client = createHealerClient({ url, token: io.env['HEALER_TOKEN'], signal: io.signal });
      const detail = await client.get(playId);
      const { attribution } = detail.healer;
      io.stdout.write(values.json ? `${JSON.stringify(attribution, null, 2)}\n` : toText(detail));
      return 0;
    } catch (error) {
      if (!(error instanceof HealerCallError)) throw error;
      io.stderr.write(`${error.message}\n`);
      return 1;
    }
  },
};

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

function toText({ session, healer }: SessionDetail): string {
  const { rules, unclaimed, advice } = healer.attribution;
  const claimed =
    rules.length === 0
      ? ['No rule has claimed a pod for it yet.']
      : rules.map(({ rule, pods, lines }) => `${rule.padEnd(14)}${count(pods, 'pod')}, ${count(lines, 'line')}`);
  const more = unclaimed.count - unclaimed.pods.length;
  return [
    `Play ${session.play_id} in namespace ${session.namespace}`,
    '',
    ...claimed,
    '',
    unclaimed.count === 0
      ? 'Every pod that spoke in the last look belongs to a session or is excluded.'
      : `${count(unclaimed.count, 'pod')} of the namespace ${unclaimed.count === 1 ? 'belongs' : 'belong'} to no session:`,
    // Names come from labels of log streams: a terminal must not obey them.
    ...unclaimed.pods.map((pod) => `  ${toVisibleLine(pod)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(advice === null ? [] : ['', advice]),
    '',
  ].join('\n');
}
