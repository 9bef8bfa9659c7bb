import { secretsOf } from '#lib/domain/deployment/needed-secrets.ts';
import { SECRET_NAMES, SECRETS, type SecretName, toSetCommand } from '#lib/domain/deployment/secrets.ts';
import { toIso } from '#lib/domain/time.ts';
import type { ConfiguredStage } from '../stage/stage.ts';
import type { StoredSecret } from './secret-store.ts';

/**
 * `set`; `missing`: the configuration wants it and nothing works without it; `optional`: it is wanted, and not set;
 * `unencrypted`: it is refused; `unused`: nothing reads it; `not wanted`: it is neither set nor read.
 */
type SecretState = 'set' | 'missing' | 'optional' | 'unencrypted' | 'unused' | 'not wanted';

/** One known secret of a stage. */
export interface SecretRow {
  readonly name: SecretName;
  readonly state: SecretState;
  readonly since: string | null;
  readonly what: string;
  /** What Healer goes without while an optional one is not set; null otherwise. */
  readonly loss: string | null;
  /** What to do; null when nothing is. */
  readonly advice: string | null;
}

/** Every secret that Healer knows, against what the configuration wants. */
export function toSecretRows(
  stage: Pick<ConfiguredStage, 'name' | 'deployment'>,
  stored: readonly StoredSecret[],
): readonly SecretRow[] {
  const needs = secretsOf(stage.deployment);
  return SECRET_NAMES.map((name) => {
    const found = stored.find((one) => one.name === name);
    const need = needs.find((one) => one.name === name);
    const state = stateOf(found, need);
    const since = found?.since == null ? null : toIso(found.since);
    const loss = state === 'optional' ? (need?.loss ?? null) : null;
    return { name, state, since, what: SECRETS[name], loss, advice: adviceOn(state, toSetCommand(name, stage.name)) };
  });
}

function stateOf(found: StoredSecret | undefined, need: { isRequired: boolean } | undefined): SecretState {
  if (found === undefined) return need === undefined ? 'not wanted' : need.isRequired ? 'missing' : 'optional';
  if (!found.isEncrypted) return 'unencrypted';
  return need === undefined ? 'unused' : 'set';
}

function adviceOn(state: SecretState, command: string): string | null {
  if (state === 'missing' || state === 'optional') return command;
  if (state === 'unencrypted') return `${command} --force`;
  return state === 'unused' ? 'the configuration does not use it' : null;
}

/** A table; times in UTC. */
export function toSecretLines(rows: readonly SecretRow[]): string {
  return rows
    .map(({ name, state, since, what, advice }) => {
      const seen = since === null ? state : `${state} since ${since.slice(0, 16).replace('T', ' ')}`;
      return `${name.padEnd(23)} ${seen.padEnd(27)} ${advice ?? what}`;
    })
    .join('\n');
}
