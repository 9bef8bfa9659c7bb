import type { Finding } from '../detection/finding.ts';
import { ownerOf } from '../evaluation/families.ts';
import { toRepositoryName } from '../session/repository-name.ts';
import type { Session } from '../session/session.ts';

/**
 * Repository (`owner/name`) whose issue the finding becomes: failures of the run go to the play's repository;
 * configuration, tools and infrastructure go to the platform's, where one is set (section 7 of the design).
 *
 * @throws InputError when the session's repository is neither `owner/name` nor a URL of one.
 */
export function routeTarget(
  finding: Pick<Finding, 'code' | 'category' | 'pattern'>,
  session: Pick<Session, 'repository'>,
  platformRepository: string | null | undefined,
): string {
  const isForPlatform = platformRepository != null && platformRepository !== '' && ownerOf(finding) === 'platform';
  return toRepositoryName(isForPlatform ? platformRepository : session.repository);
}
