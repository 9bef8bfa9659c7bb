import { parseArgs } from 'node:util';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { FLOW, QUEUES, type QueueName } from '#lib/flow.ts';
import { type CliIo, type Command, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import { readDeadLetters } from '../redrive/dead-letters.ts';
import { findReasons } from '../redrive/find-reasons.ts';
import { moveBack } from '../redrive/move-back.ts';
import { openQueuePair, type QueuePair } from '../redrive/queues.ts';
import { type Explained, toLetterJson, toLetterLines } from '../redrive/render.ts';
import { findStage } from '../stage/find-stage.ts';
import { FILE_HELP, FILE_OPTIONS, type Stage } from '../stage/stage.ts';

const HELP = `
Usage: healer redrive QUEUE --stage STAGE [--yes] [--json]

Shows the dead letters of a queue: what each is about, how old it is, and the
last error that the function logged about it. Then asks, and sends them back.
Mend the cause first: a message that fails five times comes back here.

Queues: ${QUEUES.join(', ')}

Options:
${FILE_HELP}
  --yes              sends them back without asking
  --json             prints JSON; without --yes it only looks

It uses your AWS credentials, as the AWS CLI finds them. Without a terminal and
without --yes it only looks.

Example:
  npx healer redrive publication --stage prod
`;

const OPTIONS = {
  ...FILE_OPTIONS,
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** Letters that are shown; all are sent back. */
const SHOWN = 50;

export const command: Command = {
  summary: 'shows why messages died, and sends them back to their queue',
  help: HELP,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    const queue = toQueue(positionals);
    const stage = await findStage(values, io.env);
    const opened = await openQueuePair(stage, queue);
    const letters = await explain(stage, opened, io);
    const pair = { ...opened, count: Math.max(opened.count, letters.length) };
    if (!values.json) io.stdout.write(describe(pair, letters));
    const isWanted = letters.length > 0 && (values.yes || (!values.json && (await mayMove(pair, io))));
    const moved = isWanted
      ? await moveBack(pair, { signal: io.signal, onProgress: toProgress(io, values.json) })
      : null;
    if (values.json) io.stdout.write(`${JSON.stringify(toJson(pair, letters, moved))}\n`);
    else if (moved !== null)
      io.stdout.write(`Sent back: ${moved}. Those that fail again are here in half an hour or more.\n`);
    return 0;
  },
};

function toQueue(words: readonly string[]): QueueName {
  const queue = QUEUES.find((name) => name === words[0]);
  if (queue !== undefined && words.length === 1) return queue;
  throw new UsageError(`say which queue, one of ${QUEUES.join(', ')}`);
}

/** The function that works on a queue. */
const consumerOf = (queue: QueueName): string => FLOW.find(({ consumes }) => consumes === queue)?.function ?? queue;

/** The letters, each with its last error; a log that may not be read is told on stderr, and the letters are shown without. */
async function explain(stage: Stage, pair: QueuePair, io: CliIo): Promise<readonly Explained[]> {
  const letters = await readDeadLetters(pair, SHOWN);
  if (letters.length === 0) return [];
  const reasons = await findReasons(stage, consumerOf(pair.queue), letters).catch((error: unknown) => {
    io.stderr.write(`healer: why they died is not known: ${error instanceof Error ? error.message : 'no answer'}\n`);
    return new Map<string, never>();
  });
  return letters.map((letter) => ({ ...letter, reason: reasons.get(letter.messageId) }));
}

function describe(pair: QueuePair, letters: readonly Explained[]): string {
  if (letters.length === 0) return `${pair.name} is empty.\n`;
  const total = pair.count;
  const shown = total > letters.length ? `; the ${letters.length} that were read first` : '';
  const name = consumerOf(pair.queue);
  const heading = `${total} dead ${total === 1 ? 'letter' : 'letters'} in ${pair.name}, which ${name} gave up on${shown}:`;
  return `${heading}\n\n${toLetterLines(letters, name, systemClock.now())}\n\n`;
}

async function mayMove(pair: QueuePair, io: CliIo): Promise<boolean> {
  const answer = await confirm(io, `Send them back to ${pair.queue}?`);
  if (answer !== true) io.stderr.write(`Nothing was sent back${answer === undefined ? '; --yes does it' : ''}.\n`);
  return answer === true;
}

/** One line that is written over on a terminal; nothing for a program. */
const toProgress =
  (io: CliIo, isJson: boolean) =>
  (moved: number, total: number): void => {
    if (isJson || io.stderr.isTTY !== true) return;
    io.stderr.write(`\r${moved} of ${total}${moved >= total ? '\n' : ''}`);
  };

const toJson = (pair: QueuePair, letters: readonly Explained[], moved: number | null) => ({
  queue: pair.queue,
  dead_letters: pair.count,
  messages: letters.map((letter) => toLetterJson(letter, systemClock.now())),
  moved,
});
