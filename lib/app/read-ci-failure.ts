import type { Incident } from '#lib/domain/incident/incident.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import { toCiFailure } from '#lib/domain/remediation/ci-failure.ts';
import type { CiFailure, Remediation } from '#lib/domain/remediation/remediation.ts';
import type { RepositoryReader } from './ports.ts';

/** How CI failed for the last patch, redacted; null before the first one. */
export async function readCiFailure(
  ports: { readonly reader: Pick<RepositoryReader, 'failedJobs'>; readonly redactor: Redactor },
  incident: Incident,
  remediation: Remediation,
): Promise<CiFailure | null> {
  const sha = remediation.attempts.at(-1)?.sha;
  if (sha === undefined || sha === null) return null;
  const jobs = await ports.reader.failedJobs(incident.target, sha);
  const clean = await Promise.all(
    jobs.map(async ({ name, log }) => ({
      name: await ports.redactor.redact(name),
      log: (await ports.redactor.redactLines(log.split('\n'))).join('\n'),
    })),
  );
  return toCiFailure(clean);
}
