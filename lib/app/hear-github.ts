import type { Clock, IncidentStore, Queues, RemediationStore } from './ports.ts';

export interface HearPorts {
  readonly incidents: Pick<IncidentStore, 'get' | 'request'>;
  readonly remediations: Pick<RemediationStore, 'findByNumber' | 'rememberDelivery'>;
  readonly queues: Queues;
  readonly clock: Clock;
}

/** What an event of GitHub is about. Its content is never used: `publish` reads GitHub itself. */
export interface GitHubEvent {
  readonly delivery: string;
  /** `owner/name` */
  readonly repository: string;
  /** Issues and pull requests that the event names. */
  readonly numbers: readonly number[];
}

export interface Heard {
  readonly kind: 'heard' | 'repeated' | 'not ours';
  /** Incidents that are looked at again. */
  readonly incidents: readonly string[];
}

/**
 * An event of GitHub as a hint: the incident that Healer's own record links with the issue or pull request is due now. A
 * delivery counts once; a lost one is made good by the looks that `publish` takes anyway.
 */
export const hearGitHub =
  (ports: HearPorts) =>
  async ({ delivery, repository, numbers }: GitHubEvent): Promise<Heard> => {
    const now = ports.clock.now();
    const ids = await Promise.all(numbers.map((number) => findOurs(ports, repository.toLowerCase(), number)));
    const incidents = [...new Set(ids.filter((id) => id !== undefined))];
    if (incidents.length === 0) return { kind: 'not ours', incidents };
    if (!(await ports.remediations.rememberDelivery(delivery, now))) return { kind: 'repeated', incidents: [] };
    for (const incident of incidents) {
      await ports.incidents.request(incident, 'publication', now);
      await ports.queues.send('publication', { incident });
    }
    return { kind: 'heard', incidents };
  };

/** The head must know the number too: a link alone may be old. */
async function findOurs(ports: HearPorts, repository: string, number: number): Promise<string | undefined> {
  const id = await ports.remediations.findByNumber(repository, number);
  const incident = id === undefined ? undefined : await ports.incidents.get(id);
  const isOurs = incident?.issue?.number === number || incident?.pull?.number === number;
  return isOurs && incident.target.toLowerCase() === repository ? incident.id : undefined;
}
