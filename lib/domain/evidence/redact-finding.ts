import type { Finding } from '../detection/finding.ts';
import { toOneLine } from '../redaction/plain-text.ts';
import type { Redactor } from '../redaction/redactor.ts';

/**
 * The finding without secrets in what was taken from the log: its identity's values and its summary, each on one line. Its
 * id and fingerprint are hashes and stay.
 * @throws GuardError when redaction fails: then the finding may not be stored.
 */
export async function redactFinding(finding: Finding, redactor: Redactor): Promise<Finding> {
  const clean = async (text: string): Promise<string> => toOneLine(await redactor.redact(text));
  const names = Object.keys(finding.identity);
  const values = await Promise.all(names.map((name) => clean(finding.identity[name] ?? '')));
  return {
    ...finding,
    identity: Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])),
    summary: await clean(finding.summary),
  };
}
