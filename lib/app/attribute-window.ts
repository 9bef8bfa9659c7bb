import type { Attribution, AttributionConfig } from '#lib/domain/detection/attribution.ts';
import type { LogEntry } from '#lib/domain/detection/finding.ts';
import type { ClusterOwners } from '#lib/domain/detection/kubernetes/owners.ts';
import type { Session } from '#lib/domain/session/session.ts';
import { attributeWithOwners } from './look-at-cluster.ts';

/** Whose a window is: attributed once for the namespace, not once for each of its plays. */
export interface WindowOwners {
  /** An entry that nobody claims is missing. */
  readonly ofEntries: ReadonlyMap<LogEntry, Attribution>;
  /** By play id, in the order of the window. */
  readonly entries: ReadonlyMap<string, readonly LogEntry[]>;
  /** Pods that spoke, by play id and then by name. */
  readonly speakers: ReadonlyMap<string, ReadonlyMap<string, Attribution>>;
}

type Attribute = (entry: Pick<LogEntry, 'labels' | 'metadata'>) => Attribution | undefined;

/** Entries of one stream share their labels, and where their metadata are equal too, they are the same play's. */
function onceForEachStream(attribute: Attribute): Attribute {
  const streams = new Map<LogEntry['labels'], Map<string, Attribution | undefined>>();
  return (entry) => {
    const { labels, metadata } = entry;
    const known = streams.get(labels) ?? new Map<string, Attribution | undefined>();
    streams.set(labels, known);
    const key = metadata === undefined ? '' : JSON.stringify(metadata);
    if (!known.has(key)) known.set(key, attribute(entry));
    return known.get(key);
  };
}

/** @param pods names of those that spoke, whatever they said */
export function attributeWindow(
  { entries, pods }: { readonly entries: readonly LogEntry[]; readonly pods: Iterable<string> },
  sessions: readonly Session[],
  config: AttributionConfig,
  clusterOwners: ClusterOwners,
): WindowOwners {
  const attribute = onceForEachStream((entry) => attributeWithOwners(entry, sessions, config, clusterOwners));
  const ofEntries = new Map<LogEntry, Attribution>();
  const own = new Map<string, LogEntry[]>();
  const speakers = new Map<string, Map<string, Attribution>>();
  const addSpeaker = (owner: Attribution, pod: string) =>
    speakers.set(owner.playId, (speakers.get(owner.playId) ?? new Map<string, Attribution>()).set(pod, owner));
  for (const pod of pods) {
    const owner = attribute({ labels: { pod } });
    if (owner !== undefined) addSpeaker(owner, pod);
  }
  for (const entry of entries) {
    const owner = attribute(entry);
    if (owner === undefined) continue;
    ofEntries.set(entry, owner);
    addSpeaker(owner, owner.pod);
    const entriesOfPlay = own.get(owner.playId);
    if (entriesOfPlay === undefined) own.set(owner.playId, [entry]);
    else entriesOfPlay.push(entry);
  }
  return { ofEntries, entries: own, speakers };
}
