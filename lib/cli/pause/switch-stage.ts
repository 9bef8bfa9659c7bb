import { parseArgs } from 'node:util';
import { type CliIo, UsageError } from '../command.ts';
import { findStage } from '../stage/find-stage.ts';
import { FILE_OPTIONS } from '../stage/stage.ts';
import { openSwitches, SWITCH_NAMES, type Switch, type SwitchName } from './switches.ts';

const OPTIONS = {
  ...FILE_OPTIONS,
  only: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
} as const;

/** A switch after the command. */
interface Turned {
  readonly name: SwitchName;
  readonly on: boolean;
  readonly changed: boolean;
}

/** What a command has done. */
export interface Switched {
  readonly stage: string;
  /** Words of the call that name the stage again. */
  readonly words: string;
  readonly turned: readonly Turned[];
}

/**
 * Turns the switches of a stage on or off, the wanted ones alone: the sweep, which asks for work, off first and on last, and
 * the queues together, since AWS takes some seconds for each.
 * @param say tells a person what follows; with `--json` it is not asked
 */
export async function switchStage(
  args: readonly string[],
  io: CliIo,
  isOn: boolean,
  say: (switched: Switched) => string,
): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const wanted = toNames(values.only);
  const stage = await findStage(values, io.env);
  const switches = await openSwitches(stage);
  const turned = await turnAll(switches, isOn, wanted);
  const switched = { stage: stage.name, words: stage.words, turned };
  io.stdout.write(values.json ? `${JSON.stringify(toJson(switched))}\n` : `${toLines(turned)}\n\n${say(switched)}\n`);
  return 0;
}

function toNames(only: readonly string[] | undefined): readonly SwitchName[] {
  if (only === undefined) return SWITCH_NAMES;
  return only.map((word) => {
    const name = SWITCH_NAMES.find((one) => one === word);
    if (name === undefined) throw new UsageError(`--only takes one of ${SWITCH_NAMES.join(', ')}`);
    return name;
  });
}

async function turnAll(switches: readonly Switch[], isOn: boolean, wanted: readonly SwitchName[]) {
  const turnOnes = (ones: readonly Switch[]) => Promise.all(ones.map((one) => turn(one, isOn, wanted)));
  const sweep = switches.filter(({ name }) => name === 'sweep');
  const queues = switches.filter(({ name }) => name !== 'sweep');
  if (!isOn) return [...(await turnOnes(sweep)), ...(await turnOnes(queues))];
  const turned = await turnOnes(queues);
  return [...(await turnOnes(sweep)), ...turned];
}

async function turn(one: Switch, isOn: boolean, wanted: readonly SwitchName[]): Promise<Turned> {
  const isChanged = wanted.includes(one.name) && one.isOn !== isOn;
  if (isChanged) await one.set(isOn);
  return { name: one.name, on: isChanged ? isOn : one.isOn, changed: isChanged };
}

const toLines = (turned: readonly Turned[]): string =>
  turned
    .map(({ name, on, changed }) => `  ${name.padEnd(12)} ${on ? 'on ' : 'off'}${changed ? '' : '  as before'}`)
    .join('\n');

const toJson = ({ stage, turned }: Switched) => ({
  stage,
  paused: turned.some(({ on }) => !on),
  switches: turned,
});
