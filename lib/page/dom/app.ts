import { HealerCallError } from '#lib/client/index.ts';
import { afterFailure, afterLook, FRESH, type Pace, toPause } from '../model/pace.ts';
import { parseRoute, type Route } from '../model/route.ts';
import { createLook, type Look } from './look.ts';
import { refreshAges } from './parts.ts';
import type { Shell } from './shell.ts';
import { missing, tokenForm, waiting } from './states.ts';

/** Where the token lies: in this tab, until it is closed. */
const KEY = 'healer-token';
const PAGE = 15;
const MOST = 100;
const AGES_MS = 5_000;

/** What the page knows of itself between two looks. */
interface App {
  readonly shell: Shell;
  token: string | null;
  look: Look;
  route: Route;
  pace: Pace;
  limit: number;
  /** What the last look showed. */
  shown: string;
  timer: number;
  /** Grows with each look: an answer that was overtaken is dropped. */
  turn: number;
}

/** Looks at the API again and again, and shows what it says. */
export function runApp(shell: Shell): void {
  const token = sessionStorage.getItem(KEY);
  const route = parseRoute(location.hash);
  const app: App = {
    shell,
    token,
    look: createLook(token),
    route,
    pace: FRESH,
    limit: PAGE,
    shown: '',
    timer: 0,
    turn: 0,
  };
  shell.onSignOut(() => askForToken(app, null));
  addEventListener('hashchange', () => {
    app.route = parseRoute(location.hash);
    startOver(app, waiting());
    void lookNow(app).then(() => shell.focus('#heading'));
  });
  document.addEventListener('visibilitychange', () => {
    clearTimeout(app.timer);
    if (!document.hidden && !shell.isAsking()) void lookNow(app);
  });
  setInterval(refreshAges, AGES_MS);
  shell.show(waiting());
  void lookNow(app);
}

async function lookNow(app: App): Promise<void> {
  clearTimeout(app.timer);
  app.turn += 1;
  const { turn } = app;
  try {
    const { data, view } = await app.look(app.route, app.limit, () => showMore(app));
    if (turn !== app.turn) return;
    const hasChanged = data !== app.shown;
    if (hasChanged) app.shell.show(view());
    app.shown = data;
    app.pace = afterLook(app.pace, hasChanged);
    app.shell.tellFresh(app.token !== null);
    lookAfter(app, toPause(app.pace));
  } catch (error) {
    if (turn === app.turn) tellFailure(app, error);
  }
}

/** A page that nobody sees does not look; it looks at once when it is seen again. */
function lookAfter(app: App, pause: number): void {
  if (!document.hidden) app.timer = setTimeout(() => void lookNow(app), pause);
}

function startOver(app: App, view: HTMLElement): void {
  app.shown = '';
  app.pace = FRESH;
  app.shell.show(view);
}

function showMore(app: App): void {
  app.limit = Math.min(MOST, app.limit + PAGE);
  void lookNow(app);
}

function askForToken(app: App, problem: string | null): void {
  clearTimeout(app.timer);
  sessionStorage.removeItem(KEY);
  app.turn += 1;
  app.token = null;
  app.look = createLook(null);
  app.shell.tellSignedOut();
  startOver(
    app,
    tokenForm(problem, (token) => signIn(app, token)),
  );
  app.shell.focus(problem === null ? '#heading' : '#token');
}

function signIn(app: App, token: string): void {
  app.token = token;
  app.look = createLook(token);
  sessionStorage.setItem(KEY, token);
  startOver(app, waiting());
  void lookNow(app);
}

const UNKNOWN_TOKEN = 'Healer does not know this token. It may be mistyped, expired or revoked.';

function tellFailure(app: App, error: unknown): void {
  const { status, retryAfterMs } = error instanceof HealerCallError ? error : {};
  if (status === 401) return askForToken(app, app.token === null ? null : 'Healer asks for another token.');
  if (status === 403) return askForToken(app, UNKNOWN_TOKEN);
  app.pace = afterFailure(app.pace);
  const pause = toPause(app.pace, retryAfterMs);
  const problem = error instanceof HealerCallError ? error.message : 'The page failed.';
  if (status === 404 && app.route.name !== 'overview') startOver(app, missing(app.route.name));
  else app.shell.tellFailure(problem, pause, () => void lookNow(app));
  lookAfter(app, pause);
}
