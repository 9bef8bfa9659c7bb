/** A route of an HTTP API, parsed from its key: `GET /a/{id}`, `ANY /a/{rest+}`, `$default`. */
export interface Route<T> {
  readonly key: string;
  readonly method: string;
  readonly segments: readonly string[];
  readonly target: T;
}

export interface RouteMatch<T> {
  readonly route: Route<T>;
  /** Decoded. */
  readonly pathParameters: { readonly [name: string]: string };
}

export function parseRoute<T>(key: string, target: T): Route<T> {
  if (key === '$default') return { key, method: 'ANY', segments: ['{+}'], target };
  const [method = '', path = ''] = key.split(' ');
  return { key, method, segments: toSegments(path), target };
}

const toSegments = (path: string): readonly string[] => path.split('/').slice(1);

const isGreedy = (segment: string): boolean => segment.endsWith('+}');
const isVariable = (segment: string): boolean => segment.startsWith('{');

/** 0 for a fixed segment, 1 for a variable, 2 for a greedy variable. */
const vagueness = (segment: string): number => Number(isVariable(segment)) + Number(isGreedy(segment));

/** Sorts the most specific route first: fixed segments before variables before greedy ones, a method before `ANY`. */
function bySpecificity<T>(a: Route<T>, b: Route<T>): number {
  for (let i = 0; i < Math.min(a.segments.length, b.segments.length); i++) {
    const difference = vagueness(a.segments[i] ?? '') - vagueness(b.segments[i] ?? '');
    if (difference !== 0) return difference;
  }
  return Number(a.method === 'ANY') - Number(b.method === 'ANY');
}

/** The most specific route for a request; `path` is encoded, as it came. */
export function findRoute<T>(routes: readonly Route<T>[], method: string, path: string): RouteMatch<T> | undefined {
  const parts = toSegments(path);
  for (const route of routes.toSorted(bySpecificity)) {
    const pathParameters = match(route.segments, parts);
    if (pathParameters && (route.method === 'ANY' || route.method === method)) return { route, pathParameters };
  }
  return undefined;
}

function match(segments: readonly string[], parts: readonly string[]): { [name: string]: string } | undefined {
  const parameters: { [name: string]: string } = {};
  const last = segments.at(-1) ?? '';
  if (isGreedy(last) ? parts.length < segments.length : parts.length !== segments.length) return undefined;
  for (const [i, segment] of segments.entries()) {
    const part = isGreedy(segment) ? parts.slice(i).join('/') : (parts[i] ?? '');
    if (!isVariable(segment) && segment !== part) return undefined;
    if (!isVariable(segment)) continue;
    // A variable does not stand for nothing, except in `$default`.
    const name = segment.slice(1, isGreedy(segment) ? -2 : -1);
    if (part === '' && name !== '') return undefined;
    if (name !== '') parameters[name] = decode(part);
  }
  return parameters;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
