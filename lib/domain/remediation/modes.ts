import { InputError } from '../errors.ts';
import { isExecutable } from './paths.ts';
import type { Proposal } from './proposal.ts';

/** `guarded` (default), `auto`, `label`, `off`: section 9 of the design. */
export const MODES = ['guarded', 'auto', 'label', 'off'] as const;
export type Mode = (typeof MODES)[number];

/** Label by which a maintainer lets a proposal go out. */
export const FIX_LABEL = 'healer:fix';

export type ModeRules = readonly { readonly pattern: string; readonly mode: Mode }[];

const ENTRY = /^(\*|[a-z0-9][a-z0-9-]{0,38}\/(?:\*|[a-z0-9._-]{1,100}))=([a-z]+)$/;

/**
 * Reads `acme/*=auto,acme/x=off`; `*` alone stands for every repository.
 * @throws InputError that says what an entry looks like
 */
export function parseModes(text: string): ModeRules {
  const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.filter(Boolean).map((entry) => {
    const [, pattern, word] = ENTRY.exec(entry) ?? [];
    const mode = MODES.find((one) => one === word);
    if (pattern !== undefined && mode !== undefined) return { pattern, mode };
    throw new InputError(`an entry must be "owner/name=mode", "owner/*=mode" or "*=mode", a mode ${MODES.join(', ')}`);
  });
}

/** The mode of a repository: its own entry, else its owner's, else that of `*`, else `guarded`. */
export function modeOf(rules: ModeRules, repository: string): Mode {
  const name = repository.toLowerCase();
  const wanted = [name, `${name.split('/')[0]}/*`, '*'];
  return wanted.flatMap((pattern) => rules.filter((rule) => rule.pattern === pattern))[0]?.mode ?? 'guarded';
}

/** Whether a proposal waits for a maintainer's label: CI would run what a model wrote, with secrets. */
export function needsApproval(mode: Mode, proposal: Pick<Proposal, 'source' | 'edits'>): boolean {
  if (mode === 'auto') return false;
  if (mode !== 'guarded') return true;
  return proposal.source === 'model' && proposal.edits.some(({ path }) => isExecutable(path));
}
