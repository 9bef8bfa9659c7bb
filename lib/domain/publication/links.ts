import type { IssueInput } from './issue-draft.ts';

/**
 * Address of GitHub's pages for people, from that of its REST API: `https://api.github.com` → `https://github.com`,
 * `https://ghe.example.com/api/v3` → `https://ghe.example.com`.
 * Source: https://docs.github.com/en/enterprise-server/rest/about-the-rest-api
 */
export function toWebUrl(apiUrl: string): string {
  const url = new URL(apiUrl);
  if (url.hostname === 'api.github.com') return 'https://github.com';
  // Data residency: https://api.<name>.ghe.com serves https://<name>.ghe.com.
  if (/^api\.[\w-]+\.ghe\.com$/.test(url.hostname)) return `https://${url.hostname.slice('api.'.length)}`;
  return url.origin;
}

/** Links that an issue ends with: the repository of the play, and what else Healer told in the target. */
export const toLinks = (webUrl: string, target: string, repository: string): NonNullable<IssueInput['links']> => ({
  webUrl,
  items: [
    ...(repository === target ? [] : [{ text: 'Repository of the play', url: `${webUrl}/${repository}` }]),
    { text: 'All issues of Healer in this repository', url: `${webUrl}/${target}/issues?q=is%3Aissue+label%3Ahealer` },
  ],
});
