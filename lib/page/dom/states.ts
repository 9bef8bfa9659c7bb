import { h } from './element.ts';

/** Asks for the token; `problem` says why the one before did not do. */
export function tokenForm(problem: string | null, use: (token: string) => void): HTMLElement {
  const input = h('input', {
    id: 'token',
    name: 'token',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    'aria-describedby': problem === null ? 'token-help' : 'token-problem token-help',
    'aria-invalid': problem === null ? null : 'true',
  }) as HTMLInputElement;
  const submit = (event: Event) => {
    event.preventDefault();
    if (input.value.trim() !== '') use(input.value.trim());
  };
  return h(
    'form',
    { class: 'card', onsubmit: submit },
    h('h2', { id: 'heading', tabindex: '-1' }, 'Sign in'),
    h('p', {}, 'This page holds no data of its own. It reads the session API with your token.'),
    h('label', { for: 'token' }, 'Token'),
    input,
    problem === null ? null : h('p', { id: 'token-problem', class: 'note bad', role: 'alert' }, problem),
    h(
      'p',
      { id: 'token-help', class: 'quiet-text' },
      h('code', {}, 'npx healer token create'),
      ' makes one. It stays in this tab and goes when you close it.',
    ),
    h('button', { type: 'submit', class: 'primary' }, 'Open'),
  );
}

export const waiting = (): HTMLElement =>
  h(
    'div',
    { class: 'skeleton', role: 'status' },
    h('p', {}, 'Reading sessions and incidents…'),
    h('div', {}),
    h('div', {}),
    h('div', {}),
  );

/** What was asked for does not exist. */
export const missing = (what: string): HTMLElement =>
  h(
    'div',
    { class: 'card' },
    h('h2', { id: 'heading', tabindex: '-1' }, 'Not found'),
    h('p', {}, `There is no such ${what}; it may have been kept for its time and removed.`),
    h('p', {}, h('a', { href: '#/' }, 'All sessions and incidents')),
  );

/** A look failed; what was shown before stays below it. */
export const failureBanner = (problem: string, pauseMs: number, tryNow: () => void): HTMLElement =>
  h(
    'div',
    { class: 'banner', role: 'alert' },
    h('p', {}, h('strong', {}, 'Not up to date. '), `${problem} Trying again in ${Math.ceil(pauseMs / 1000)} s.`),
    h('button', { type: 'button', 'data-key': 'try-now', onclick: tryNow }, 'Try now'),
  );
