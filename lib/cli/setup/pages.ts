import { escapeHtml } from '#lib/domain/html.ts';
import type { Manifest } from './manifest.ts';

/** Pages that the person's browser sees; without script, and without anything from elsewhere. */

export const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  // The address of the last page holds the code.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const page = (title: string, content: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
  '<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}</style>' +
  `<h1>${title}</h1>${content}`;

/** The form that hands the manifest to GitHub. */
export function toStartPage(manifest: Manifest, action: string): string {
  const permissions = Object.entries(manifest.default_permissions).map(
    ([name, access]) => `<li>${name}: ${access}</li>`,
  );
  return page(
    'Healer’s GitHub App',
    `<p>GitHub makes the App <b>${escapeHtml(manifest.name)}</b> with these permissions and shows it to you once more:</p>` +
      `<ul>${permissions.join('')}</ul>` +
      `<form action="${escapeHtml(action)}" method="post">` +
      `<input type="hidden" name="manifest" value="${escapeHtml(JSON.stringify(manifest))}">` +
      '<button>Create it on GitHub</button></form>',
  );
}

export const toEndPage = (title: string, text: string): string => page(escapeHtml(title), `<p>${escapeHtml(text)}</p>`);
