import { InputError } from '../errors.ts';

/** What a deployment has to do. Sessions are those that are active at the same time, all month long. */
export interface Load {
  readonly sessions: number;
  /** Namespaces that they are spread over; one look reads one namespace. */
  readonly namespaces: number;
  /** How long a session lasts: the shorter, the more of them start in a month. */
  readonly sessionMinutes: number;
  /** Lines of one session, whatever they say. */
  readonly linesPerMinute: number;
  /** Incidents of the whole deployment that no earlier one is like. */
  readonly incidentsPerDay: number;
  /** Requests of the API that look at a session, besides those of its start and end. */
  readonly readsPerSession: number;
}

type Field = keyof Load;

interface Range {
  readonly option: string;
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
}

const RANGES: Readonly<Record<Field, Range>> = {
  sessions: { option: '--sessions', min: 1, max: 1_000_000, isWhole: true },
  namespaces: { option: '--namespaces', min: 1, max: 1_000_000, isWhole: true },
  sessionMinutes: { option: '--session-minutes', min: 1, max: 10_080, isWhole: false },
  linesPerMinute: { option: '--lines-per-minute', min: 0, max: 1_000_000, isWhole: false },
  incidentsPerDay: { option: '--incidents-per-day', min: 0, max: 1_000_000, isWhole: false },
  readsPerSession: { option: '--reads-per-session', min: 0, max: 1_000_000, isWhole: false },
};

/** A middling stage. */
const SESSIONS = 100;
/** Plays of several agents that work one after the other. */
const SESSION_MINUTES = 240;
/** Ten lines a second: agents that print each event of their stream. */
const LINES_PER_MINUTE = 600;
/** New failures, by session and day; what is known already adds an occurrence and costs next to nothing. */
const INCIDENTS_PER_SESSION_DAY = 0.05;
/** People look at the plays that fail, one in a hundred; and a caller may ask once how a play came out. */
const READS_PER_SESSION = 1;
/** Sessions that share a namespace where nothing else is said. */
const SESSIONS_PER_NAMESPACE = 200;

/** The options of a command, as a person writes them. */
export type LoadTexts = Readonly<Partial<Record<Field, string | undefined>>>;

/**
 * The load that the options name, with defaults for what they leave out.
 * @throws InputError with every number that cannot be, and what would be right; a value is not repeated
 */
export function parseLoad(texts: LoadTexts): Load {
  const faults: string[] = [];
  const read = (field: Field, fallback: number): number => {
    const text = texts[field];
    if (text === undefined) return fallback;
    const { option, min, max, isWhole } = RANGES[field];
    const value = /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value;
    faults.push(`${option} must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`);
    return fallback;
  };
  const sessions = read('sessions', SESSIONS);
  const load = {
    sessions,
    namespaces: read('namespaces', Math.ceil(sessions / SESSIONS_PER_NAMESPACE)),
    sessionMinutes: read('sessionMinutes', SESSION_MINUTES),
    linesPerMinute: read('linesPerMinute', LINES_PER_MINUTE),
    incidentsPerDay: read('incidentsPerDay', sessions * INCIDENTS_PER_SESSION_DAY),
    readsPerSession: read('readsPerSession', READS_PER_SESSION),
  };
  if (faults.length === 0 && load.namespaces > sessions)
    faults.push('--namespaces must be at most the number of sessions: a namespace without one is not read');
  if (faults.length > 0) throw new InputError(`${faults.join('; ')}.`);
  return load;
}
