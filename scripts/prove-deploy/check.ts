import { readFileSync } from 'node:fs';
import type { Deployment } from './deployment.ts';
import { STAGE } from './service.ts';

/** One thing that must hold of the deployed service. */
export interface Check {
  readonly name: string;
  /** Functions whose log lines tell why it does not hold. */
  readonly functions?: readonly string[];
  /** What to look at when it does not hold. */
  readonly advice: string;
  /** Returns what was seen, for the line that is printed. @throws Error saying what was wrong */
  run(deployment: Deployment): Promise<string>;
}

/** How many checks held, and the first that did not. */
export interface Tally {
  readonly held: number;
  readonly failed: string | undefined;
}

const LAST_LINES = 12;

/** Runs the checks one after the other, a line each, and stops at the first that does not hold. */
export async function runChecks(checks: readonly Check[], deployment: Deployment): Promise<Tally> {
  for (const [held, check] of checks.entries()) {
    const start = performance.now();
    try {
      const seen = await check.run(deployment);
      console.log(`${since(start)}  ok  ${check.name}${seen === '' ? '' : `: ${seen}`}`);
    } catch (error) {
      console.log(`${since(start)}  FAILED  ${check.name}: ${error instanceof Error ? error.message : String(error)}`);
      await explain(check, deployment);
      return { held, failed: check.name };
    }
  }
  return { held: checks.length, failed: undefined };
}

async function explain({ functions = [], advice }: Check, { service, emulator }: Deployment): Promise<void> {
  const told = readFileSync(emulator.log, 'utf8')
    .split('\n')
    .filter((line) => / (ERROR|WARNING) /.test(line));
  for (const name of functions) {
    // What keeps a function from starting at all stands in the emulator's log alone.
    const faults = told.filter((line) => line.includes(`-${STAGE}-${name}`)).slice(-2);
    const lines = [...worthReading(await service.logs(name)), ...faults];
    const text = lines.length === 0 ? '    (none)' : lines.map((line) => `    ${line}`).join('\n');
    console.log(`\nLast log lines of the function ${name}:\n${text}`);
  }
  console.log(`\nAdvice: ${advice}`);
}

/** The function's own lines, one JSON object each; what Lambda and Node write around them says nothing here. */
const worthReading = (log: string): readonly string[] =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{') || /error/i.test(line))
    .slice(-LAST_LINES);

export const since = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`.padStart(8);

/** Asks until the answer is there. @throws Error of the last asking when it is not in time */
export async function until<T>(seconds: number, ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) {
        throw new Error(`not within ${seconds} s: ${(error as Error).message}`, { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

const POLL_MS = 1_500;

/** @throws Error with the message when the condition does not hold */
export function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
