import type { SecretRow } from '../secret/list-secrets.ts';
import { type Finding, ok, wrong } from './finding.ts';

const WORDS = {
  missing: 'is missing',
  unencrypted: 'is not encrypted',
  optional: 'is missing: events of GitHub are refused',
} as const;

/** What the configuration wants is stored, encrypted. */
export function toSecretFindings(rows: readonly SecretRow[]): readonly Finding[] {
  const faults = rows.flatMap(({ name, state, advice }) =>
    state in WORDS ? [wrong('secrets', `${name} ${WORDS[state as keyof typeof WORDS]}`, advice ?? '')] : [],
  );
  const set = rows.filter(({ state }) => state === 'set').map(({ name }) => name);
  return faults.length > 0 ? faults : [ok('secrets', `set: ${set.join(', ')}`)];
}
