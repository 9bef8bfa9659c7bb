import { isClusterRef } from '../detection/kubernetes/ends.ts';
import type { Redactor } from '../redaction/redactor.ts';
import type { ChosenLine } from './choose-lines.ts';
import type { GatheredEvidence } from './gathered-evidence.ts';
import { toPieceText } from './piece-text.ts';

const MAX_GAPS = 20;
const MAX_GAP_TEXT = 500;

/** What the pack cannot show of the finding itself, each a sentence. */
export function missingLines(gathered: GatheredEvidence, chosen: readonly ChosenLine[]): readonly string[] {
  const { session, finding, entries } = gathered;
  const hasDeclaration = gathered.hasDeclaration ?? true;
  const wanted = [finding.anchor, ...finding.also].filter((ref) => !isClusterRef(ref)).length;
  const found = chosen.filter(({ isHit }) => isHit).length;
  const names = Object.keys(session?.agents ?? {}).map((name) => name.toLowerCase());
  const isDeclared = finding.agent === null || names.includes(finding.agent.toLowerCase());
  return [
    ...(entries.length > 0 && found < wanted
      ? [`${wanted - found} of ${wanted} log lines of the failure were not found when they were read again.`]
      : []),
    ...(session === null && hasDeclaration
      ? ['The record of the session is gone, so its declared configuration is not shown.']
      : []),
    ...(session !== null && !isDeclared ? [`The session declares no agent ${finding.agent}.`] : []),
  ];
}

/** The gaps without secrets; of very many the first. */
export async function toGaps(gaps: readonly string[], redactor: Redactor): Promise<readonly string[]> {
  const shown = gaps.slice(0, MAX_GAPS);
  const clean = await Promise.all(shown.map(async (gap) => toPieceText(await redactor.redact(gap), MAX_GAP_TEXT)));
  return gaps.length > shown.length ? [...clean, `${gaps.length - shown.length} further gaps are not listed.`] : clean;
}
