import fc from 'fast-check';
import type { CiScript } from '#lib/local/github/options.ts';
import { type EmbeddedModel, startModel } from '#lib/local/openai/start-model.ts';
import type { TestTables } from '#test/support/dynalite.ts';
import { INJECTIONS } from '#test/support/injections/injections.ts';
import { aWorkshop, type Workshop } from '#test/support/remediation.ts';
import { addSymlinks, MODES, PEOPLE, REPOSITORIES, USERS } from './ground.ts';
import { aHostileCase, type HostileCase } from './hostile-cases.ts';
import { judgeGround, noteGround } from './judge-branches.ts';
import { sentTexts, strayRequests } from './judge-requests.ts';
import { publishedSecret, textFault } from './judge-text.ts';
import { modelOf, type Played, playCase } from './play-case.ts';
import { PLANTED } from './secrets.ts';
import { emptyTally, type Tally } from './tally.ts';

/** The embedded GitHub is a new one after so many answers. */
export const RESET_AFTER = 200;
/** Cases at hand for a batch: each takes two answers at least. */
const BATCH = RESET_AFTER / 2;

/** The cases of a batch; the same seed and batch give the same ones. */
const casesOf = (seed: number, batch: number): readonly HostileCase[] =>
  fc.sample(aHostileCase, { numRuns: BATCH, seed: seed * 100_003 + batch });

/** Checks that fail with a log of strangers. */
const redJobs = (branch: string): ReturnType<CiScript> => {
  const at = Array.from(branch).reduce((sum, c) => sum + c.charCodeAt(0), 0);
  const log = [INJECTIONS[at % INJECTIONS.length], PLANTED[at % PLANTED.length], `FAIL ${at}`].join('\n');
  return [{ name: '![x](https://evil.example) @all', conclusion: 'failure', log }];
};

const scriptOf = (cases: readonly HostileCase[]) =>
  cases.flatMap(({ analysis, steps }, at) => [
    { when: { model: modelOf(at), schema: 'analysis' }, replies: [analysis] },
    { when: { model: modelOf(at), schema: 'step' }, replies: [...steps] },
  ]);

export interface BatchOptions {
  readonly seed: number;
  readonly batch: number;
  /** It ends with the case that reaches so many answers. */
  readonly answers: number;
  /** Only the case of this place in it. */
  readonly only?: number | undefined;
  /** Told of the answers of each case. */
  readonly onCase?: (answers: number) => void;
}

/** Plays a batch on peers of its own, and judges what reached the embedded GitHub. */
export async function runBatch(tables: TestTables, options: BatchOptions): Promise<Tally> {
  const cases = casesOf(options.seed, options.batch);
  let isRed = false;
  const ci: CiScript = ({ branch }) => (isRed ? redJobs(branch) : []);
  const shop = await aWorkshop(tables, { repositories: REPOSITORIES, users: USERS, ci }, MODES);
  const model = await startModel({ script: scriptOf(cases) });
  const tally = emptyTally();
  try {
    await addSymlinks(shop.github);
    const ground = await noteGround(shop.github);
    for (const [at, one] of cases.entries()) {
      if ((options.only ?? at) !== at || tally.answers >= options.answers) continue;
      isRed = one.isRed;
      const before = tally.answers;
      await judgeCase({ shop, model, tally, name: `case ${options.batch}.${at}` }, at, one);
      options.onCase?.(tally.answers - before);
    }
    const { faults, branches } = await judgeGround(shop.github, ground);
    tally.outside.push(...faults);
    tally.branches += branches;
  } finally {
    await model.stop();
    await shop.github.stop();
  }
  return tally;
}

interface Court {
  readonly shop: Workshop;
  readonly model: EmbeddedModel;
  readonly tally: Tally;
  readonly name: string;
}

async function judgeCase({ shop, model, tally, name }: Court, at: number, one: HostileCase): Promise<void> {
  const before = shop.github.requests().length;
  const heard = model.requests.length;
  const tell = (faults: string[], fault: string): void => void faults.push(`${name}: ${fault}`);
  let played: Played = { id: '', labelledBy: null };
  try {
    played = await playCase(shop, model, at, one);
  } catch (error) {
    tell(tally.crashes, error instanceof Error ? String(error.stack).slice(0, 400) : String(error));
  }
  const people: readonly string[] = Object.values(PEOPLE).map(({ login }) => login);
  const requests = shop.github
    .requests()
    .slice(before)
    .filter(({ actor }) => !people.includes(actor));
  const incident = await shop.ports.incidents.get(played.id);
  if (played.labelledBy === 'guest' && incident?.pull != null) tell(tally.outside, 'a guest let a proposal out');
  if (played.labelledBy === 'maintainer' && incident?.pull != null) tally.letOut += 1;
  const own = [incident?.issue?.number, incident?.pull?.number].filter((number) => number !== undefined);
  for (const stray of strayRequests(requests, one.target)) tell(tally.outside, stray);
  for (const text of sentTexts(requests)) {
    tally.texts += 1;
    const secret = publishedSecret(text);
    if (secret !== undefined) tell(tally.secrets, `a ${text.kind} holds ${secret} of a secret: ${text.text}`);
    const fault = textFault(text, own);
    if (fault !== undefined) tell(tally.unsafe, `${text.kind} ${fault}`);
  }
  tally.answers += model.requests.length - heard + ('stored' in one ? 1 : 0);
  const count = (form: RegExp): number =>
    requests.filter(({ method, path, status }) => method !== 'GET' && form.test(path) && status < 300).length;
  tally.issues += count(/\/issues$/);
  tally.pulls += count(/\/pulls$/);
  tally.commits += count(/\/git\/refs/);
  tally.comments += count(/\/comments$/);
}
