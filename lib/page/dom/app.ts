import { createHealerClient, HealerCallError } from '#lib/client/index.ts';
import { createLoader } from '../model/load.ts';
import { afterFailure, afterLook, FRESH, type Pace, toPause } from '../model/pace.ts';
import { parseRoute, type Route } from '../model/route.ts';
import { incidentView } from './incident.ts';
import { overviewView } from './overview.ts';
import { refreshAges } from './parts.ts';
import { sessionView } from './session.ts';
import type { Shell } from './shell.ts';
import { missing, tokenForm, waiting } from './states.ts';

const KEY = 'healer-token';
const PAGE = 15;
const MOST = 100;
/** Below an API that hangs, a look ends after this time. */
const TIMEOUT_MS = 15_000;
const AGES_MS = 5_000;

/** Looks at the API again and again, and shows what it says. */
export function runApp(shell: Shell): void {
  let token = sessionStorage.getItem(KEY);
  let route = parseRoute(location.hash);
  let pace: Pace = FRESH;
  let limit = PAGE;
  let shown = '';
  let timer = 0;
  let turn = 0;
  let look = createLook(token);

  const lookNow = async () => {
    clearTimeout(timer);
    const mine = ++turn;
    try {
      const { data, view } = await look(route, limit, showMore);
      if (mine !== turn) return;
      const hasChanged = data !== shown;
      if (hasChanged) shell.show(view());
      shown = data;
      pace = afterLook(pace, hasChanged);
      shell.tellFresh(token !== null);
      lookAfter(toPause(pace));
    } catch (error) {
      if (mine === turn) fail(error);
    }
  };
  const lookAfter = (pause: number) => {
    if (!document.hidden) timer = setTimeout(() => void lookNow(), pause);
  };
  const startOver = (view: HTMLElement) => {
    shown = '';
    pace = FRESH;
    shell.show(view);
  };
  const showMore = () => {
    limit = Math.min(MOST, limit + PAGE);
    void lookNow();
  };
  const askForToken = (problem: string | null) => {
    turn += 1;
    sessionStorage.removeItem(KEY);
    token = null;
    shell.tellSignedOut();
    startOver(tokenForm(problem, signIn));
    shell.focus(problem === null ? '#heading' : '#token');
  };
  const signIn = (given: string) => {
    token = given;
    sessionStorage.setItem(KEY, given);
    look = createLook(token);
    startOver(waiting());
    void lookNow();
  };
  const fail = (error: unknown) => {
    const { status, retryAfterMs } = error instanceof HealerCallError ? error : {};
    if (status === 401) return askForToken(token === null ? null : 'Healer asks for another token.');
    if (status === 403) return askForToken('Healer does not know this token. It may be mistyped, expired or revoked.');
    pace = afterFailure(pace);
    const pause = toPause(pace, retryAfterMs);
    if (status === 404 && route.name !== 'overview') startOver(missing(route.name));
    else
      shell.tellFailure(
        error instanceof HealerCallError ? error.message : 'The page failed.',
        pause,
        () => void lookNow(),
      );
    lookAfter(pause);
  };

  shell.onSignOut(() => {
    look = createLook(null);
    askForToken(null);
  });
  addEventListener('hashchange', () => {
    route = parseRoute(location.hash);
    startOver(waiting());
    void lookNow().then(() => shell.focus('#heading'));
  });
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (!document.hidden && !document.querySelector('form')) void lookNow();
  });
  setInterval(refreshAges, AGES_MS);
  shell.show(waiting());
  void lookNow();
}

interface Looked {
  /** Equal when nothing changed. */
  readonly data: string;
  readonly view: () => HTMLElement;
}

/** One look at what the route shows. */
function createLook(token: string | null): (route: Route, limit: number, showMore: () => void) => Promise<Looked> {
  const url = `${location.origin}${location.pathname}`;
  const healer = createHealerClient({ url, token: token ?? undefined, attempts: 1, timeoutMs: TIMEOUT_MS });
  const load = createLoader(healer);
  return async (route, limit, showMore) => {
    if (route.name === 'session') {
      const { session, healer: seen } = await healer.get(route.id);
      const { request_id: _id, ...lasting } = seen;
      return {
        data: JSON.stringify([session, lasting]),
        view: () => sessionView({ status: 'ok', message: null, session, healer: seen }),
      };
    }
    if (route.name === 'incident') {
      const { incident } = await healer.incident(route.id);
      return { data: JSON.stringify(incident), view: () => incidentView(incident) };
    }
    const overview = await load(limit);
    const data = JSON.stringify(overview, (key, value: unknown) => (key === 'request_id' ? undefined : value));
    return { data, view: () => overviewView(overview, showMore) };
  };
}
