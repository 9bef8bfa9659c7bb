import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { SEVERITIES, type Severity } from '#lib/domain/detection/finding.ts';
import { InputError } from '#lib/domain/errors.ts';
import { FORMATS, type Format } from '#lib/domain/scan/formats.ts';
import { parseMoment } from '#lib/domain/scan/line-time.ts';
import { toRepositoryName } from '#lib/domain/session/repository-name.ts';
import type { SessionDeclaration } from '#lib/domain/session/session.ts';
import { type Millis, NANOS_PER_MS, type Nanos, toNanos } from '#lib/domain/time.ts';
import { parseStartRequest } from '#lib/edge/http/start-request.ts';
import { UsageError } from '../command.ts';

/** Words of the call, read and checked. */
export interface ScanCall {
  readonly files: readonly string[];
  readonly cases: string | null;
  readonly loki: LokiCall | null;
  readonly format: Format | null;
  readonly session: SessionDeclaration | null;
  readonly repository: string | null;
  readonly platformRepository: string | null;
  readonly since: Nanos | null;
  readonly until: Nanos | null;
  readonly severity: Severity;
  readonly isJson: boolean;
  /** The pods still run: the end of their log is not the end of the run. */
  readonly isRunning: boolean;
}

export interface LokiCall {
  readonly url: string;
  readonly namespace: string;
  readonly selector: string | null;
  readonly tenant: string | null;
  readonly user: string | null;
}

const OPTIONS = {
  format: { type: 'string' },
  session: { type: 'string' },
  repository: { type: 'string' },
  'platform-repository': { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  severity: { type: 'string' },
  json: { type: 'boolean' },
  running: { type: 'boolean' },
  cases: { type: 'string' },
  loki: { type: 'string' },
  namespace: { type: 'string' },
  selector: { type: 'string' },
  tenant: { type: 'string' },
  user: { type: 'string' },
} as const;

/** Only these go with the others. */
const ALONE: readonly (keyof typeof OPTIONS)[] = ['namespace', 'selector', 'tenant', 'user'];

/** @throws UsageError for words that do not fit, InputError for a session file that cannot be used. */
export async function readCall(args: readonly string[], now: Millis): Promise<ScanCall> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const sources = [values.cases, values.loki, positionals[0]].filter((source) => source !== undefined);
  if (sources.length === 0) throw new UsageError('name the log files to scan, - for standard input, or --loki URL');
  if (sources.length > 1)
    throw new UsageError('give either log files, --loki URL or --cases FILE, not several of them');
  const lone = ALONE.find((name) => values[name] !== undefined);
  if (lone !== undefined && values.loki === undefined) throw new UsageError(`--${lone} goes with --loki URL only`);
  const since = values.since === undefined ? null : toMoment('since', values.since, now);
  const until = values.until === undefined ? null : toMoment('until', values.until, now);
  if (since !== null && until !== null && since >= until) throw new UsageError('--since must lie before --until');
  const session = values.session === undefined ? null : await readSession(values.session);
  return {
    files: positionals,
    cases: values.cases ?? null,
    loki: values.loki === undefined ? null : toLokiCall(values.loki, values, session),
    format: oneOf('format', values.format, FORMATS) ?? null,
    session,
    repository: toRepository('repository', values.repository),
    platformRepository: toRepository('platform-repository', values['platform-repository']),
    since,
    until,
    severity: oneOf('severity', values.severity, SEVERITIES) ?? 'low',
    isJson: values.json ?? false,
    isRunning: values.running ?? false,
  };
}

function toLokiCall(
  url: string,
  values: { readonly [K in 'namespace' | 'selector' | 'tenant' | 'user']?: string | undefined },
  session: SessionDeclaration | null,
): LokiCall {
  return {
    url,
    // The original API's default namespace.
    namespace: values.namespace ?? session?.namespace ?? 'cto',
    selector: values.selector ?? null,
    tenant: values.tenant ?? null,
    user: values.user ?? null,
  };
}

function oneOf<const T extends string>(name: string, value: string | undefined, words: readonly T[]): T | undefined {
  const found = words.find((word) => word === value);
  if (value !== undefined && found === undefined) throw new UsageError(`--${name} must be one of ${words.join(', ')}`);
  return found;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `24h` before now, or a moment. */
function toMoment(name: string, text: string, now: Millis): Nanos {
  const span = /^(\d{1,6})([smhd])$/.exec(text);
  if (span !== null) return toNanos(now) - BigInt(Number(span[1]) * (UNITS[span[2] ?? ''] ?? 0)) * NANOS_PER_MS;
  const moment = parseMoment(text) ?? parseMoment(`${text}T00:00:00Z`);
  if (moment === null) {
    throw new UsageError(
      `--${name} must be a time span before now such as 24h, 90m or 7d, or a moment such as 2026-01-08T16:00:00Z`,
    );
  }
  return moment;
}

function toRepository(name: string, value: string | undefined): string | null {
  if (value === undefined) return null;
  try {
    return toRepositoryName(value);
  } catch {
    throw new UsageError(`--${name} must be owner/name`);
  }
}

/** The JSON body of `POST /api/v1/session/start`. */
async function readSession(path: string): Promise<SessionDeclaration> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new InputError(`The session file ${path} cannot be read; expected the JSON of POST /session/start.`);
  });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new InputError(
      `The session file ${path} is not JSON${faultyLine(text)}; expected the body of POST /session/start.`,
    );
  }
  return parseSession(body, `The session file ${path}`);
}

/** @throws InputError that names the fields that are wrong and what would be right. */
export function parseSession(body: unknown, name: string): SessionDeclaration {
  try {
    const declaration = parseStartRequest(body);
    toRepositoryName(declaration.repository);
    return declaration;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const faults = error.faults.map(({ path, message }) => `${path} ${message}`.trim());
    throw new InputError(`${name} is not a session: ${faults.join('; ')}.`, error.faults);
  }
}

/** `, line 3`: the first line up to which the text is not merely incomplete JSON. */
function faultyLine(text: string): string {
  const lines = text.split('\n');
  const at = lines.findIndex((_, index) => !isBeginning(lines.slice(0, index + 1).join('\n')));
  return `, line ${at < 0 ? lines.length : at + 1}`;
}

/** True for JSON that only breaks off at its end. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const at = /position (\d+)/.exec(message)?.[1];
    return /end of JSON|Unterminated/.test(message) || (at !== undefined && Number(at) >= text.trimEnd().length);
  }
}
