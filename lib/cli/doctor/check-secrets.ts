import type { SecretRow } from '../secret/list-secrets.ts';
import { type Finding, hint, ok, wrong } from './finding.ts';

const WORDS = { missing: 'is missing', unencrypted: 'is not encrypted' } as const;

/** What the configuration cannot do without is stored, encrypted; of the rest is told what its absence costs. */
export function toSecretFindings(rows: readonly SecretRow[]): readonly Finding[] {
  const faults = rows.flatMap(({ name, state, advice }) =>
    state in WORDS ? [wrong('secrets', `${name} ${WORDS[state as keyof typeof WORDS]}`, advice ?? '')] : [],
  );
  const set = rows.filter(({ state }) => state === 'set').map(({ name }) => name);
  const hints = rows.flatMap(({ name, loss, advice }) =>
    loss === null ? [] : [hint('secrets', `${name} is not set: ${loss}`, `${advice} sets it.`)],
  );
  return [...(faults.length > 0 ? faults : [ok('secrets', `set: ${set.join(', ')}`)]), ...hints];
}
