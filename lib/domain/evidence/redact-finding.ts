import type { Finding, ObjectSight } from '../detection/finding.ts';
import { toOneLine } from '../redaction/plain-text.ts';
import { type Redactor, withMemory } from '../redaction/redactor.ts';
import { createSecretMemory } from '../redaction/secret-memory.ts';

/**
 * The finding without secrets in what was taken from the log or from objects: its identity's values, its summary, its
 * cause's, and what Kubernetes showed, each on one line; what one of them gives away is in none, also in part. Its id,
 * fingerprint and ties are hashes and stay.
 * @throws GuardError when redaction fails: then the finding may not be stored.
 */
export async function redactFinding(finding: Finding, redactor: Redactor): Promise<Finding> {
  const { playId, agent, pod } = finding;
  const memory = createSecretMemory([playId, agent ?? '', pod]);
  const one = withMemory(redactor, memory);
  const clean = await redactTexts(finding, one);
  return memory.isEmpty() ? clean : redactTexts(clean, one);
}

async function redactTexts(finding: Finding, redactor: Redactor): Promise<Finding> {
  const clean = async (text: string): Promise<string> => toOneLine(await redactor.redact(text));
  const redactSight = async (sight: ObjectSight) => ({ ...sight, text: await clean(sight.text) });
  const names = Object.keys(finding.identity);
  const values = await Promise.all(names.map((name) => clean(finding.identity[name] ?? '')));
  const { cause, sights } = finding;
  return {
    ...finding,
    identity: Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])),
    summary: await clean(finding.summary),
    ...(sights !== undefined && { sights: await Promise.all(sights.map(redactSight)) }),
    ...(cause !== undefined && { cause: { ...cause, summary: await clean(cause.summary) } }),
  };
}
