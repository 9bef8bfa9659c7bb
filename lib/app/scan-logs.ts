import type { Attribution } from '#lib/domain/detection/attribution.ts';
import type { LogEntry } from '#lib/domain/detection/finding.ts';
import { ownerOf } from '#lib/domain/evaluation/families.ts';
import { incidentId } from '#lib/domain/incident/identity.ts';
import { routeTarget } from '#lib/domain/incident/routing.ts';
import type { Redactor } from '#lib/domain/redaction/redactor.ts';
import { scanAttribution } from '#lib/domain/scan/name-pod.ts';
import { type Ending, RollingDetection, type ScanFinding } from '#lib/domain/scan/rolling-detection.ts';
import { ScannedPods } from '#lib/domain/scan/scan-agents.ts';
import type { ScanEntry } from '#lib/domain/scan/scan-entry.ts';
import { bySeverity, rankOf, type ScanIncident } from '#lib/domain/scan/scan-incident.ts';
import { hashDeclaration } from '#lib/domain/session/declaration.ts';
import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import type { Session, SessionDeclaration } from '#lib/domain/session/session.ts';
import { toIso } from '#lib/domain/time.ts';
import { diagnoseFinding } from './diagnose-finding.ts';
import type { Clock } from './ports.ts';

export interface ScanPorts {
  readonly redactor: Redactor;
  readonly clock: Clock;
}

export interface ScanOptions {
  /** What the play declared; null leaves out what only a declaration can show. */
  readonly session: SessionDeclaration | null;
  /** `owner/name` of the plays where no session names it; null: not known. */
  readonly repository: string | null;
  readonly platformRepository: string | null;
}

/** What a scan knows so far. */
export interface ScanResult {
  /** Most severe first. */
  readonly incidents: readonly ScanIncident[];
  readonly pods: ScannedPods;
  readonly lines: number;
  /** Lines of Healer's own pods and of log collectors, which quote the lines of others. */
  readonly excluded: number;
  /** Incidents beyond those that are kept one by one. */
  readonly unlisted: number;
}

/** Characters of lines that all windows together may hold: with what is made of them it stays far below 200 MB. */
const BUDGET = 3_000_000;
/** Plays that are held open at once; the one that has been silent for longest is closed for another. */
const MOST_PLAYS = 200;
const MOST_INCIDENTS = 300;
/** Stands for the repository in an incident's identity as long as none is known. */
const UNKNOWN_REPOSITORY = 'unknown/unknown';

/** The product's detection and diagnosis over logs that are only read: nothing is stored, filed or sent. */
export class Scan {
  readonly #ports: ScanPorts;
  readonly #options: ScanOptions;
  readonly #session: Session | null;
  readonly #attribute: (entry: LogEntry) => Attribution | undefined;
  /** In the order of their last line. */
  readonly #plays = new Map<string, RollingDetection>();
  readonly #incidents = new Map<string, ScanIncident>();
  readonly #unlisted = new Set<string>();
  readonly #pods = new ScannedPods();
  #lines = 0;
  #excluded = 0;
  #size = 0;

  constructor(ports: ScanPorts, options: ScanOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#session = options.session === null ? null : toSession(options.session, ports.clock);
    const attribute = scanAttribution(options.session);
    this.#attribute = (entry) => attribute(entry as ScanEntry);
  }

  get incidents(): number {
    return this.#incidents.size;
  }

  /** Takes the next entries; of one stream they must come in its order. */
  async add(entries: readonly ScanEntry[]): Promise<void> {
    for (const entry of entries) {
      this.#lines += 1;
      const owner = this.#attribute(entry);
      if (owner === undefined) {
        this.#excluded += 1;
        continue;
      }
      this.#pods.see(entry, owner);
      const play = this.#play(owner.playId);
      play.push(entry, owner);
      this.#size += entry.line.length;
      if (play.isFull) await this.#pass(play, { kind: 'goes-on' });
      if (this.#size > BUDGET) await this.#pass(this.#largest(play), { kind: 'goes-on' });
      if (this.#plays.size > MOST_PLAYS) await this.#close();
    }
  }

  /** Judges what is still open. */
  async finish(ending: Exclude<Ending, { kind: 'goes-on' }>): Promise<ScanResult> {
    for (const play of this.#plays.values()) await this.#pass(play, ending);
    this.#plays.clear();
    return {
      incidents: [...this.#incidents.values()].toSorted(bySeverity),
      pods: this.#pods,
      lines: this.#lines,
      excluded: this.#excluded,
      unlisted: this.#unlisted.size,
    };
  }

  #play(playId: string): RollingDetection {
    const known = this.#plays.get(playId);
    const { session } = this.#options;
    const play =
      known ??
      new RollingDetection({ session: session?.playId === playId ? session : null, attribute: this.#attribute });
    if (known !== undefined) this.#plays.delete(playId);
    this.#plays.set(playId, play);
    return play;
  }

  #largest(first: RollingDetection): RollingDetection {
    let largest = first;
    for (const play of this.#plays.values()) if (play.size > largest.size) largest = play;
    return largest;
  }

  async #close(): Promise<void> {
    const [oldest] = this.#plays;
    if (oldest === undefined) return;
    this.#plays.delete(oldest[0]);
    await this.#pass(oldest[1], { kind: 'ended', pods: false });
    this.#size -= oldest[1].size;
  }

  async #pass(play: RollingDetection, ending: Ending): Promise<void> {
    const before = play.size;
    const { findings, agents } = play.pass(ending, BUDGET / Math.max(4, this.#plays.size));
    this.#size += play.size - before;
    this.#pods.learn(agents);
    for (const found of findings) await this.#record(found);
  }

  async #record(found: ScanFinding): Promise<void> {
    const { finding } = found;
    const { session, repository, platformRepository } = this.#options;
    const own = session?.repository ?? repository;
    const place = { repository: own ?? UNKNOWN_REPOSITORY };
    const target = routeTarget(finding, place, platformRepository);
    const id = incidentId(
      own === null && target === UNKNOWN_REPOSITORY ? ownerOf(finding) : target,
      finding.fingerprint,
    );
    const known = this.#incidents.get(id);
    if (known !== undefined) addTo(known, found);
    else if (this.#incidents.size >= MOST_INCIDENTS) this.#unlisted.add(id);
    else
      this.#incidents.set(
        id,
        await diagnoseFinding(
          found,
          {
            incidentId: id,
            target: target === UNKNOWN_REPOSITORY ? null : target,
            repository: toRepositoryName(place.repository),
            namespace: session?.namespace ?? 'cto',
            session: this.#session,
            attribute: this.#attribute,
            now: this.#ports.clock.now(),
          },
          this.#ports.redactor,
        ),
      );
  }
}

function addTo(incident: ScanIncident, { finding, goesOn, fresh }: ScanFinding): void {
  incident.occurrences += goesOn ? 0 : 1;
  incident.lines += fresh;
  if (rankOf(finding.severity) < rankOf(incident.severity)) incident.severity = finding.severity;
  if (incident.firstNs !== null && finding.firstNs < incident.firstNs) incident.firstNs = finding.firstNs;
  if (incident.lastNs !== null && finding.lastNs > incident.lastNs) incident.lastNs = finding.lastNs;
  incident.plays.add(finding.playId);
  incident.pods.add(finding.pod);
  if (finding.agent !== null) incident.agents.add(finding.agent);
}

function toSession(declaration: SessionDeclaration, clock: Clock): Session {
  const at = toIso(clock.now());
  return {
    ...declaration,
    status: 'active',
    startedAt: at,
    lastUpdated: at,
    endedAt: null,
    endedBy: null,
    declarationHash: hashDeclaration(declaration),
  };
}
