/** Put together here, so that no scanner takes this file for a leak. */
const join = (separator: string, ...parts: readonly string[]): string => parts.join(separator);

/** Values that look like secrets; an error that repeats one is an echo. */
export const PLANTED: readonly string[] = [
  join('_', 'ghp', 'R7v2kQm9XwT4bN8sLc3ZfYh6Jd1UaPe5Gi0o'),
  join('', 'AKIA', 'Q7X4M2N9P5R3T6V8'),
  join('-', 'xoxb', '7391846205', 'kQmXwTbNsLcZfYhJdUaP'),
  join('_', 'hlr', '9f3c2a7b1e4d5f60', '5b8d7e2a1c9f40365b8d7e2a1c9f40365b8d7e2a1c9f40365b8d7e2a1c9f4036'),
  join('-', 'sk', 'proj', 'Zx8Kq3Lm7Nv2Bt5Ry9Wd4Hs6Jf1Gc0'),
  join('.', 'eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJxN3g0bTJuOXA1cjN0NnY4In0', 'k9XwT4bN8sLc3ZfYh6Jd1UaPe5Gi0oRv'),
];

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array;
}

type Chance = () => number;

const pick = <T>(chance: Chance, items: readonly T[]): T => items[Math.floor(chance() * items.length)] as T;

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '\u202E\u200B',
  '\uD800',
  '${7*7}',
  '{{7*7}}',
  "' OR 1=1--",
  '__proto__',
  'constructor',
  'toString',
  'a'.repeat(5_000),
  '🦊'.repeat(300),
  '%00',
  '%',
  '%E0%A4%A',
  '-1',
  '1e400',
  'null',
] as const;

const oddText = (chance: Chance): string => (chance() < 0.4 ? pick(chance, PLANTED) : pick(chance, ODD_TEXTS));

/** Any JSON that a field does not expect. */
function oddValue(chance: Chance): unknown {
  return pick<() => unknown>(chance, [
    () => null,
    () => true,
    () => -0,
    () => 2 ** 53,
    () => 1.5,
    () => [],
    () => ({}),
    () => [[[oddText(chance)]]],
    () => ({ [oddText(chance)]: oddText(chance) }),
    () => Array.from({ length: 501 }, () => 'x'),
    () => nested(chance, 25),
    () => oddText(chance),
  ])();
}

const nested = (chance: Chance, depth: number): unknown =>
  depth === 0 ? oddText(chance) : [nested(chance, depth - 1)];

/** A request that is right, with an id that few others have. */
function aSession(chance: Chance): unknown {
  return {
    play_id: `fuzz-${Math.floor(chance() * 400)}`,
    repository: pick(chance, ['acme/widgets', 'https://github.com/acme/api', 'git@github.com:acme/web.git']),
    service: pick(chance, ['widgets-api', null]),
    namespace: pick(chance, ['cto', null, 'agents']),
    cto_config: {
      agents: {
        rex: {
          githubApp: 'Acme-Rex',
          cli: 'claude',
          model: 'some-model',
          tools: { remote: ['docs_lookup'], localServers: { filesystem: { enabled: true, tools: ['read_file'] } } },
        },
      },
    },
    tasks: [{ id: '7', title: 'Task 7', agent_hint: null, dependencies: ['6'], priority: 1 }],
  };
}

/** Changes one place of a JSON value: another value, another key, one key less, one entry more. */
function mutate(value: unknown, chance: Chance): unknown {
  if (typeof value !== 'object' || value === null || chance() < 0.15) return oddValue(chance);
  if (Array.isArray(value)) {
    const items = [...(value as unknown[])];
    const at = Math.floor(chance() * (items.length + 1));
    items[at] = at < items.length ? mutate(items[at], chance) : oddValue(chance);
    return items;
  }
  const entries = Object.entries(value);
  const at = Math.floor(chance() * entries.length);
  const [key = '', inner] = entries[at] ?? [];
  const changed = pick(chance, [
    () => [key, mutate(inner, chance)],
    () => [key, mutate(inner, chance)],
    () => [oddText(chance), inner],
    () => [],
  ])();
  const rest = entries.filter((_entry, index) => index !== at);
  return Object.fromEntries([...rest, ...(changed.length > 0 ? [changed as [string, unknown]] : [])]);
}

/** A JSON text, now and then cut, doubled, or no UTF-8. */
function toBody(value: unknown, chance: Chance): string | Uint8Array {
  const text = JSON.stringify(value) ?? '';
  const luck = chance();
  if (luck < 0.04) return text.slice(0, Math.floor(chance() * text.length));
  if (luck < 0.06) return `${text}${text}`;
  if (luck < 0.08) return Buffer.from([0xff, 0xfe, ...Buffer.from(text)]);
  if (luck < 0.085) return JSON.stringify({ play_id: 'x', repository: 'acme/x', service: 'y'.repeat(300_000) });
  if (luck < 0.1) return '';
  return text;
}

const QUERIES = ['limit', 'cursor', 'status', 'repository', 'state', 'unknown'] as const;

function toQuery(chance: Chance): string {
  const pairs = Array.from({ length: Math.floor(chance() * 4) }, () => [
    pick(chance, QUERIES),
    chance() < 0.5
      ? oddText(chance)
      : pick(chance, ['1', '100', 'active', 'failed', 'reported', 'acme/widgets', 'eyJhZnRlciI6IngifQ']),
  ]);
  const text = pairs.map(([name, value]) => `${name}=${encode(value ?? '', chance)}`).join('&');
  return text === '' ? '' : `?${text}`;
}

/** Encoded; now and then as raw as a request line may be. */
const encode = (text: string, chance: Chance): string =>
  chance() < 0.1 ? text.replaceAll(/[^!-~]|[#?]/g, '') : encodeURIComponent(text.toWellFormed());

const READS = [
  '/health',
  '/',
  '/openapi.json',
  '/api/v1/sessions',
  '/api/v1/sessions/active',
  '/api/v1/incidents',
] as const;
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  '',
] as const;

function toHeaders(chance: Chance): Record<string, string> {
  const type = chance() < 0.9 ? TYPES[0] : pick(chance, TYPES);
  const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
  if (chance() < 0.03) headers['authorization'] = `Bearer ${pick(chance, PLANTED)}`;
  if (chance() < 0.05) headers['cookie'] = `a=${pick(chance, PLANTED)}`;
  if (chance() < 0.05) headers['x-request-id'] = pick(chance, PLANTED);
  return headers;
}

/** One request of a fuzz run: starts most, ends, reads, lists; some right, most not. */
export function toFuzzRequest(chance: Chance): FuzzRequest {
  const headers = toHeaders(chance);
  const id = chance() < 0.6 ? `fuzz-${Math.floor(chance() * 400)}` : encode(oddText(chance), chance) || '-';
  const luck = chance();
  if (luck < 0.55) {
    const mutations = Math.floor(chance() * 4);
    let value = aSession(chance);
    for (let i = 0; i < mutations; i += 1) value = mutate(value, chance);
    return { method: 'POST', path: '/api/v1/session/start', headers, body: toBody(value, chance) };
  }
  if (luck < 0.7) {
    const status = chance() < 0.5 ? pick(chance, ['completed', 'failed', 'cancelled']) : oddValue(chance);
    const body = toBody(chance() < 0.8 ? { status } : oddValue(chance), chance);
    return { method: 'POST', path: `/api/v1/session/${id}/end`, headers, body };
  }
  if (luck < 0.8) return { method: 'GET', path: `/api/v1/session/${id}${toQuery(chance)}`, headers };
  if (luck < 0.87) return { method: 'GET', path: `/api/v1/incidents/${id}`, headers };
  if (luck < 0.89)
    return { method: pick(chance, ['PUT', 'DELETE', 'PATCH', 'OPTIONS']), path: pick(chance, READS), headers };
  if (luck < 0.91) return { method: 'GET', path: `/${encode(oddText(chance), chance)}`, headers };
  return { method: 'GET', path: `${pick(chance, READS)}${toQuery(chance)}`, headers };
}
