import type { Seen } from './narrator.ts';
import type { DemoPlay } from './play.ts';

/** One arrow of the flow, and whether the play has passed it. */
interface Arrow {
  readonly name: string;
  readonly isPassed: (seen: Seen) => boolean;
}

const hasStage = (stage: string) => (seen: Seen) =>
  seen.incidents.some(({ history }) => history.some((entry) => entry.stage === stage && !isFault(entry.event)));

const isFault = (event: string): boolean => /^(postponed|handed to a person)/.test(event);

/** Of a play that must end in an issue. */
const TO_THE_ISSUE: readonly Arrow[] = [
  { name: 'Loki ─▶ detect', isPassed: ({ session }) => (session.healer.coverage.read?.lines ?? 0) > 0 },
  { name: 'detect ─▶ incident', isPassed: ({ incidents }) => incidents.length > 0 },
  { name: 'evidence queue ─▶ gather', isPassed: hasStage('evidence') },
  { name: 'evaluation queue ─▶ evaluate', isPassed: hasStage('evaluation') },
  { name: 'publication queue ─▶ publish', isPassed: hasStage('publication') },
  { name: 'publish ─▶ GitHub', isPassed: ({ incidents }) => incidents.every(({ issue_url: url }) => url !== null) },
];

/** Of a play of which nothing may be told. */
const TO_THE_SESSION: readonly Arrow[] = [
  { name: 'Loki ─▶ detect', isPassed: ({ session }) => (session.healer.coverage.read?.lines ?? 0) > 0 },
  {
    name: 'detect ─▶ session',
    isPassed: ({ session }) => session.healer.pods.some(({ preflight }) => preflight === 'passed'),
  },
];

/** The first arrow that the play has not passed; undefined when it has passed all. */
export const brokenArrow = (play: DemoPlay, seen: Seen): string | undefined =>
  (play.expected === null ? TO_THE_SESSION : TO_THE_ISSUE).find(({ isPassed }) => !isPassed(seen))?.name;

/** Why nothing more came: blindness first, then what the incident says of itself. */
export function reasonOf(seen: Seen): string {
  const { state, reason, advice } = seen.session.healer.coverage;
  if (state === 'blind') return `the session is blind: ${[reason, advice].filter(Boolean).join(' ')}`;
  const [incident] = seen.incidents;
  const last = incident?.history.at(-1);
  if (last !== undefined && isFault(last.event)) return last.event;
  if (incident !== undefined)
    return `incident ${incident.id} is ${incident.state}, next is ${incident.work.next_stage}`;
  return reason ?? 'nothing was found in the lines that were read';
}
