import type { Peers } from './peers.ts';
import type { DemoPlay, ExpectedIncident } from './play.ts';

/** What the demo reads of an issue on the embedded GitHub. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly html_url: string;
  readonly labels: readonly { readonly name: string }[];
  readonly pull_request?: unknown;
}

/** Issues of the plays' repositories, open and closed, oldest first. */
export async function listIssues(peers: Peers, plays: readonly DemoPlay[]): Promise<readonly Issue[]> {
  const repositories = new Set(plays.map(({ announcement }) => announcement.repository));
  const lists = [...repositories].map((name) =>
    peers.github.asAdmin('GET', `/repos/${name}/issues?state=all&per_page=100&direction=asc`),
  );
  const issues = (await Promise.all(lists)).flatMap(({ data }) => data as readonly Issue[]);
  return issues.filter((issue) => issue.pull_request === undefined);
}

/** Whether the issue says all these words. */
export const holdsAll = ({ title, body }: Issue, words: ExpectedIncident['words']): boolean =>
  words.every((word) => `${title}\n${body}`.includes(word));
