import { PERMISSIONS } from './mint-token.ts';

/**
 * What Healer's GitHub App is granted, and nothing besides: the sum of what the broker hands out. A test holds the table of
 * docs/deploy.md to it.
 */
export const APP_PERMISSIONS: Readonly<Record<string, 'read' | 'write'>> = {
  ...PERMISSIONS.read,
  ...PERMISSIONS.write,
};

/** Events of GitHub that name an issue or pull request of Healer's. GitHub sends no others. */
export const APP_EVENTS = ['issues', 'issue_comment', 'pull_request', 'check_run'] as const;
