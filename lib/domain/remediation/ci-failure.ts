import { createHash } from 'node:crypto';
import { toToken } from '../detection/fingerprint.ts';
import type { CiFailure } from './remediation.ts';

const MAX_LINES = 60;
const MAX_LINE = 500;
const TROUBLE = /error|fail|expected|panic|exception|assert|not ok|✗|✕|×/i;
/** Time stamps that runners put before each line. */
const STAMP = /^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z ?/;

/**
 * What the logs of failed jobs say, told from another failure by the lines of trouble without numbers and times.
 * @param jobs with redacted logs
 */
export function toCiFailure(jobs: readonly { readonly name: string; readonly log: string }[]): CiFailure {
  const lines = jobs.flatMap(({ log }) => log.split('\n').map((line) => line.replace(STAMP, '').trimEnd()));
  const telling = lines.filter((line) => TROUBLE.test(line)).map(toToken);
  const checks = jobs.map(({ name }) => name.slice(0, 100)).toSorted();
  const recipe = JSON.stringify([checks, [...new Set(telling)].slice(0, 200)]);
  return {
    signature: createHash('sha256').update(recipe).digest('hex').slice(0, 32),
    checks,
    log: lines
      .filter((line) => line !== '')
      .slice(-MAX_LINES)
      .map((line) => line.slice(0, MAX_LINE)),
  };
}
