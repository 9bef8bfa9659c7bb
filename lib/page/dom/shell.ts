import { failureBanner } from './states.ts';

/** The frame around the views: what it says of itself, and where focus goes. */
export interface Shell {
  /** Replaces the view; focus and scroll stay where they were when the same thing is still there. */
  show(view: HTMLElement): void;
  tellFresh(isSignedIn: boolean): void;
  tellSignedOut(): void;
  tellFailure(problem: string, pauseMs: number, tryNow: () => void): void;
  focus(selector: string): void;
  onSignOut(act: () => void): void;
  /** Whether the view waits for a token. */
  isAsking(): boolean;
}

/** @throws Error when the page's own markup lacks an element */
export function openShell(): Shell {
  const main = find('main');
  const status = find('#status');
  const banner = find('#banner');
  const signOut = find('#sign-out');
  const back = find('#back');
  find('#skip').addEventListener('click', (event) => {
    // The address names the view; it stays.
    event.preventDefault();
    main.focus();
  });
  const say = (text: string, kind: string) => {
    if (status.textContent !== text) status.textContent = text;
    status.className = kind;
  };
  return {
    show(view) {
      const key = document.activeElement?.getAttribute('data-key');
      main.replaceChildren(view);
      back.hidden = location.hash === '' || location.hash === '#/';
      document.title = `${main.querySelector('#heading')?.textContent ?? 'Sessions and incidents'} · Healer`;
      if (key) main.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
    },
    tellFresh(isSignedIn) {
      banner.replaceChildren();
      signOut.hidden = !isSignedIn;
      say('Live', 'live');
    },
    tellSignedOut() {
      banner.replaceChildren();
      signOut.hidden = true;
      say('Signed out', '');
    },
    tellFailure(problem, pauseMs, tryNow) {
      say('Not up to date', 'stale');
      banner.replaceChildren(failureBanner(problem, pauseMs, tryNow));
      main.querySelector('.skeleton')?.remove();
    },
    focus: (selector) => main.querySelector<HTMLElement>(selector)?.focus(),
    isAsking: () => main.querySelector('form') !== null,
    onSignOut: (act) => signOut.addEventListener('click', act),
  };
}

function find(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`the page has no ${selector}`);
  return element;
}
