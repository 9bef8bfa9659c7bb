import type { AttributionConfig } from '#lib/domain/detection/attribution.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import type { PlayMemory } from './play-memory.ts';
import type {
  Clock,
  Cluster,
  Ids,
  IncidentStore,
  LogSource,
  Queues,
  RemediationStore,
  SessionStore,
  WindowStore,
} from './ports.ts';
import type { RecordPorts } from './record-findings.ts';

export interface DetectPorts {
  readonly sessions: SessionStore;
  readonly windows: WindowStore;
  readonly incidents: IncidentStore;
  readonly remediations: Pick<RemediationStore, 'get' | 'expose'>;
  readonly logs: LogSource;
  /** Null or absent where no cluster is configured. */
  readonly cluster?: Cluster | null;
  readonly queues: Queues;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly onStored?: RecordPorts['onStored'];
  /** Absent: every look reads all anew. */
  readonly memory?: PlayMemory;
}

export interface DetectOptions {
  readonly attribution: AttributionConfig;
  readonly platformRepository: string | null;
  /** LogQL stream selector of a namespace, or of one of its pods. */
  readonly selector: (namespace: string, pod?: string) => string;
  /** RE2 expression for the server-side line filter; null reads every line. */
  readonly lineFilter: string | null;
}
