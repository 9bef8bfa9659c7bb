import { type Actor, type actors, parseJson } from './actors.ts';
import type { Answer } from './answer.ts';
import { fault, json } from './answer.ts';
import type { AppHook } from './app-hook.ts';
import type { appManifests } from './app-manifests.ts';
import type { Backend } from './backend.ts';
import type { continuousIntegration } from './ci.ts';
import { answerOf, type Fault, type faultSwitches } from './faults.ts';
import type { Incoming } from './incoming.ts';
import { answerPage, readChanges } from './pages.ts';
import { answerPermission } from './permissions.ts';
import type { PullHeads } from './pull-heads.ts';
import { checkRules, type RepositoryRequest } from './rules.ts';
import type { commitStatuses } from './statuses.ts';

/** What the record holds of a request; never a token. */
export interface RecordedRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** Login, `<app>[bot]`, `app <slug>` for the App itself, or `anonymous`. */
  readonly actor: string;
  readonly body: unknown;
  /** 0 when no answer was given. */
  readonly status: number;
}

/** The parts of which the front is made. */
export interface Parts {
  readonly backend: Backend;
  readonly pulls: PullHeads;
  readonly actors: ReturnType<typeof actors>;
  readonly faults: ReturnType<typeof faultSwitches>;
  readonly ci: ReturnType<typeof continuousIntegration>;
  readonly statuses: ReturnType<typeof commitStatuses>;
  readonly hook: AppHook;
  readonly manifests: ReturnType<typeof appManifests>;
  readonly isSuspended: () => boolean;
}

const isAnswer = (value: Actor | Answer): value is Answer => 'headers' in value;

function toRepositoryRequest(incoming: Incoming): RepositoryRequest | undefined {
  const url = new URL(incoming.path, 'http://front');
  const match = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(decodeURIComponent(url.pathname));
  if (match === null) return undefined;
  const [, owner = '', name = '', below = ''] = match;
  return {
    method: incoming.method,
    owner,
    repository: `${owner}/${name}`,
    below,
    query: url.searchParams,
    body: parseJson(incoming.body.toString()),
  };
}

/** What the App itself asks: its installation, and tokens. The emulator asks for no JWT on the first. */
function checkApp(parts: Parts, incoming: Incoming, actor: Actor): Answer | undefined {
  const isMint = /^\/app\/installations\/\d+\/access_tokens$/.test(incoming.path);
  if (!isMint && !/^\/repos\/[^/]+\/[^/]+\/installation$/.test(incoming.path)) return undefined;
  if (!actor.isApp) return fault(401, 'A JSON web token could not be decoded');
  return isMint && parts.isSuspended() ? fault(403, 'This installation has been suspended') : undefined;
}

/** Leaves out what is younger than the lag, as a list that is not up to date does. */
function withLag(answer: Answer, ms: number): Answer {
  const items = parseJson(answer.body.toString());
  if (answer.status !== 200 || !Array.isArray(items)) return answer;
  const old = items.filter((item: { created_at?: string }) => !(Date.parse(item.created_at ?? '') > Date.now() - ms));
  return { ...answer, body: JSON.stringify(old) };
}

async function ownAnswer(parts: Parts, request: RepositoryRequest, actor: Actor): Promise<Answer | undefined> {
  const answered =
    parts.ci.answer(request, actor) ??
    (await parts.statuses(request, actor)) ??
    (await answerPermission(parts.backend, request));
  if (answered !== undefined) return answered;
  const [, pull] = /^\/pulls\/(\d+)\/files$/.exec(request.below) ?? [];
  if (pull === undefined || request.method !== 'GET') return undefined;
  return json(200, await readChanges(parts, request.repository, pull));
}

/** Whether a pull request may have a new head afterwards. */
const movesHead = ({ method, below }: RepositoryRequest): boolean =>
  (method === 'POST' && below === '/pulls') ||
  (method === 'PATCH' && below.startsWith('/git/refs/heads/')) ||
  (method === 'PUT' && below.startsWith('/contents/'));

/** GitHub's answer below a repository, with what the emulator leaves as it was put right. */
async function passBelow(parts: Parts, incoming: Incoming, request: RepositoryRequest): Promise<Answer> {
  const pass = () => parts.backend.call(incoming);
  const answer = (await parts.pulls.merge(request, pass)) ?? (await pass());
  if (answer.status < 300 && movesHead(request)) await parts.ci.afterWrite(request.repository);
  if (answer.status === 200 && request.below === '/installation' && parts.isSuspended()) {
    const installation = parseJson(answer.body.toString()) as object;
    return json(200, { ...installation, suspended_at: new Date().toISOString() });
  }
  return parts.pulls.refresh(request, answer);
}

async function passOn(parts: Parts, incoming: Incoming, request: RepositoryRequest | undefined): Promise<Answer> {
  if (request !== undefined) return passBelow(parts, incoming, request);
  const answer = await parts.backend.call(incoming);
  if (answer.status === 201 && incoming.path.endsWith('/access_tokens')) parts.actors.addMinted(answer.body.toString());
  return answer;
}

async function act(parts: Parts, incoming: Incoming, actor: Actor): Promise<Answer> {
  const request = toRepositoryRequest(incoming);
  const ofHook = parts.hook.answer(incoming, actor);
  if (ofHook !== undefined) return ofHook;
  const refused = checkApp(parts, incoming, actor) ?? (request && (await checkRules(parts.backend, request)));
  if (refused !== undefined) return refused;
  const own = request && (await ownAnswer(parts, request, actor));
  return own ?? (await passOn(parts, incoming, request));
}

/** Acts with a fault in the way. Undefined stands for no answer at all. */
async function actWith(parts: Parts, incoming: Incoming, actor: Actor, one: Fault): Promise<Answer | undefined> {
  if (one.kind === 'hang' || one.kind === 'disconnect') return undefined;
  const instead = answerOf(one);
  if (instead !== undefined) return instead;
  const answer = await act(parts, incoming, actor);
  if (one.kind === 'list-lag') return incoming.method === 'GET' ? withLag(answer, one.ms) : answer;
  return fault(502, 'Server Error');
}

export interface Outcome {
  readonly actor: string;
  /** Absent: the connection breaks, or hangs when `hangs` says so. */
  readonly answer?: Answer | undefined;
  readonly hangs?: boolean;
}

/** Answers one request: pages for people first, then who asks, then the faults, then GitHub. */
export async function answerRequest(parts: Parts, incoming: Incoming): Promise<Outcome> {
  const path = new URL(incoming.path, 'http://front').pathname;
  const page =
    incoming.method === 'GET' ? (parts.ci.log(path) ?? (await answerPage(parts, path))) : parts.manifests(incoming);
  if (page !== undefined) return { actor: 'anonymous', answer: page };
  const one = parts.faults.take(incoming.method, path);
  const actor = parts.actors.of(incoming.authorization);
  if (isAnswer(actor)) return { actor: 'anonymous', answer: actor };
  if (one === undefined) return { actor: actor.login, answer: await act(parts, incoming, actor) };
  const answer = await actWith(parts, incoming, actor, one);
  return { actor: actor.login, answer, hangs: one.kind === 'hang' };
}
