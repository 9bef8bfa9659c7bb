import { must } from './check.ts';

const unescape = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** What a person's browser does with the page of `healer setup github`, when the person says yes on GitHub. */
export async function makeAppInBrowser(address: string): Promise<void> {
  const html = await (await fetch(address)).text();
  const [, action = ''] = /<form action="([^"]*)"/.exec(html) ?? [];
  const [, manifest = ''] = /name="manifest" value="([^"]*)"/.exec(html) ?? [];
  const body = new URLSearchParams({ manifest: unescape(manifest) });
  const answer = await fetch(unescape(action), { method: 'POST', body, redirect: 'manual' });
  const back = answer.headers.get('location');
  must(back !== null, `GitHub answered ${answer.status} to the manifest: ${(await answer.text()).slice(0, 300)}`);
  await (await fetch(back)).text();
}
