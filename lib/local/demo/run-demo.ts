import type { LocalStack } from '../stack.ts';
import { demoApi } from './api.ts';
import { closeTheLoop } from './close-the-loop.ts';
import { holdsAll, type Issue, listIssues } from './issues.ts';
import { followTheModel } from './model-path.ts';
import type { Seen } from './narrator.ts';
import type { Peers } from './peers.ts';
import type { DemoPlay } from './play.ts';
import { playOut } from './play-out.ts';
import { crashPlay } from './plays/crash.ts';
import { healthyPlay } from './plays/healthy.ts';
import { killedPlay } from './plays/killed.ts';
import { consequencePlay, misspeltToolPlay } from './plays/misspelt-tool.ts';
import { refusedKeyPlay } from './plays/refused-key.ts';

/** Faults that `npm start -- --fault NAME` switches on. */
export const DEMO_FAULTS = ['loki-down', 'deliver-twice', 'drop-once'] as const;
export type DemoFault = (typeof DEMO_FAULTS)[number];

export interface DemoOptions {
  readonly faults: readonly DemoFault[];
  readonly print: (line: string) => void;
}

const PLAYS: readonly DemoPlay[] = [
  healthyPlay,
  misspeltToolPlay,
  consequencePlay,
  refusedKeyPlay,
  killedPlay,
  crashPlay,
];

/**
 * The story that `npm start` tells on embedded peers: recorded plays, each arrow with its time, the issues that come of it.
 * @throws Error naming the broken arrow, or the issue that is missing or too many
 */
export async function runDemo(stack: LocalStack, peers: Peers, { faults, print }: DemoOptions): Promise<void> {
  stack.faults.deliverTwice = faults.includes('deliver-twice');
  stack.faults.dropOnce = faults.includes('drop-once');
  const told = new Set<string>();
  for (const [index, play] of PLAYS.entries()) {
    if (faults.includes('loki-down') && index === 1) peers.loki.faults.use('down');
    print(`\n${play.name}`);
    const seen = await playOut(stack, peers, play, print, told);
    checkIncidents(play, seen);
  }
  await followTheModel(stack, peers, { print, told });
  await closeTheLoop(stack, peers, { print, told });
  const { incidents } = await demoApi(stack).incidents();
  const issues = await listIssues(peers, PLAYS);
  for (const issue of issues) printIssue(issue, print);
  checkIssues(issues, incidents.length);
}

function checkIncidents({ name, expected }: DemoPlay, { incidents }: Seen): void {
  const told = incidents.map(({ title }) => title).join('; ');
  if (expected === null && incidents.length > 0) throw new Error(`${name}: nothing may be told, but was: ${told}`);
  if (expected === null) return;
  const [only, ...others] = incidents;
  if (only === undefined || others.length > 0) throw new Error(`${name}: one incident is expected, found: ${told}`);
  if (only.code !== expected.code || only.severity !== expected.severity)
    throw new Error(`${name}: expected ${expected.code} ${expected.severity}, found ${only.code} ${only.severity}`);
}

/** Plays that show the same failure share one issue. */
function checkIssues(issues: readonly Issue[], incidents: number): void {
  const expected = PLAYS.flatMap(({ expected: one }) => (one === null ? [] : [one]));
  const distinct = new Set(expected.map(({ words: [first] }) => first)).size;
  const titles = issues.map(({ title }) => title).join('; ');
  if (issues.length !== distinct || incidents !== distinct)
    throw new Error(`publish ─▶ GitHub: ${distinct} issues expected, found ${issues.length}: ${titles}`);
  const missing = expected.find(({ words }) => !issues.some((issue) => holdsAll(issue, words)));
  if (missing !== undefined)
    throw new Error(`publish ─▶ GitHub: no issue says ${missing.words.join(', ')}; found: ${titles}`);
}

function printIssue(issue: Issue, print: (line: string) => void): void {
  const labels = issue.labels.map(({ name }) => name).join(', ');
  print(`\nIssue #${issue.number}  ${issue.html_url}\n`);
  print(indented(`${issue.title}\n[${labels}]\n\n${issue.body}`));
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');
