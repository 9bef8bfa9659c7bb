import '#test/support/quiet.ts';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_TOKEN, serveSessionApi } from '#test/support/api-server.ts';
import { aDiagnosis } from '#test/support/builders/a-diagnosis.ts';
import { type Browser, CHROMIUM, startChromium, type Tab } from '#test/support/chromium.ts';
import { seedShowcase } from '#test/support/page-world.ts';
import { type SessionApi, startSessionApi } from '#test/support/session-api.ts';

const TITLE = CHROMIUM === undefined ? 'the page (skipped: no Chromium here; apt-get install chromium)' : 'the page';
const BROWSER_MS = 60_000;
const TOOL = '2'.repeat(32);

describe.skipIf(CHROMIUM === undefined)(TITLE, { timeout: BROWSER_MS }, () => {
  let api: SessionApi;
  let seed: Awaited<ReturnType<typeof seedShowcase>>;
  let server: Awaited<ReturnType<typeof serveSessionApi>>;
  let browser: Browser;

  beforeAll(async () => {
    api = await startSessionApi();
    seed = await seedShowcase(api);
    server = await serveSessionApi(api);
    browser = await startChromium();
  }, BROWSER_MS);
  afterAll(async () => {
    await browser?.stop();
    await server?.stop();
    await api?.stop();
  });

  const open = async (hash = '#/'): Promise<Tab> => {
    const tab = await browser.newTab();
    await tab.view({ width: 1280, height: 900 });
    await tab.open(`${server.url}/${hash}`);
    await tab.until('document.querySelector("#token")');
    return tab;
  };
  const signIn = async (tab: Tab, token = API_TOKEN) => {
    await tab.evaluate('document.querySelector("#token").focus()');
    await tab.type(token);
    await tab.press('Enter');
  };
  const openSignedIn = async (hash?: string): Promise<Tab> => {
    const tab = await open(hash);
    await signIn(tab);
    await tab.until('document.querySelector("#status").textContent === "Live"');
    return tab;
  };
  const text = (tab: Tab, selector = 'main') => tab.evaluate<string>(`document.querySelector('${selector}').innerText`);
  /** The 401 of the first look is expected; nothing else may be complained about. */
  const complaints = ({ complaints: all }: Tab) => all.filter((each) => !/status of 40[13]/.test(each));

  it('asks for a token and says that a wrong one is wrong', async () => {
    const tab = await open();
    expect(await text(tab)).toMatch(/Sign in[^]*stays in this tab/);
    await signIn(tab, 'hlr_wrong');
    await tab.until('document.querySelector("#token-problem")');
    expect(await text(tab, '#token-problem')).toMatch(/does not know this token/);
    expect(await tab.evaluate('document.activeElement.id')).toBe('token');
    expect(await tab.evaluate('sessionStorage.length')).toBe(0);
    await signIn(tab);
    await tab.until('document.querySelectorAll(".list .row").length === 8');
    expect(await tab.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 1, '']);
  });

  it('lists sessions with their coverage, and incidents with state, cause and links', async () => {
    const tab = await openSignedIn();
    const sessions = await text(tab, '[aria-labelledby=sessions]');
    for (const mark of ['pending', 'proven', 'quiet', 'blind', 'proven, with a gap']) expect(sessions).toContain(mark);
    const incidents = await text(tab, '[aria-labelledby=incidents]');
    expect(incidents).toMatch(/github_create_brnch[^]*proposed[^]*may be misspelt|proposed[^]*github_create_brnch/);
    const links = await tab.evaluate<string[]>('[...document.querySelectorAll("a.out")].map((link) => link.href)');
    expect(links).toContain('https://github.com/acme/widgets/issues/214');
    expect(links).toContain('https://github.com/acme/widgets/pull/215');
    expect(complaints(tab)).toEqual([]);
  });

  it('shows an incident with its timeline, and a session with its gap', async () => {
    const tab = await openSignedIn(`#/incidents/${TOOL}`);
    const moments = await tab.evaluate<string[]>(
      '[...document.querySelectorAll(".moment")].map((each) => each.innerText)',
    );
    expect(moments).toHaveLength(6);
    expect(moments.at(-1)).toContain('draft pull request #215 opened');
    expect(await text(tab)).toMatch(/Cause[^]*What to do[^]*How to see that it held/);
    await tab.evaluate('location.hash = "#/sessions/play-billing-c4d9x"');
    await tab.until('document.querySelector("#heading")?.textContent === "play-billing-c4d9x"');
    expect(await text(tab)).toMatch(/Lost from .* UTC until .* UTC: Loki keeps/);
    await tab.evaluate('location.hash = "#/incidents/none"');
    await tab.until('document.querySelector("#heading")?.textContent === "Not found"');
  });

  it('is used with the keyboard alone', async () => {
    const tab = await openSignedIn();
    const focus = () =>
      tab.evaluate<string>('document.activeElement.getAttribute("data-key") ?? document.activeElement.id');
    await tab.evaluate('document.querySelector(".name").focus()');
    const first = await focus();
    expect(first).toBe('#/sessions/play-mobile-q1v6z');
    await tab.press('Enter');
    await tab.until('document.activeElement.id === "heading"');
    expect(await tab.evaluate('document.title')).toBe('play-mobile-q1v6z · Healer');
    await tab.evaluate('document.querySelector("#skip").click()');
    expect(await focus()).toBe('main');
    expect(await tab.evaluate('location.hash')).toBe(first);
  });

  it('names everything for a screen reader', async () => {
    const tab = await openSignedIn();
    const { nodes } = (await tab.send('Accessibility.getFullAXTree')) as {
      nodes: { ignored: boolean; role?: { value: string }; name?: { value: string } }[];
    };
    const named = nodes.filter(
      ({ ignored, role }) => !ignored && /^(link|button|image|heading|textbox)$/.test(role?.value ?? ''),
    );
    expect(named.filter(({ name }) => (name?.value ?? '').trim() === '')).toEqual([]);
    const roles = new Set(nodes.map(({ role }) => role?.value));
    for (const role of ['banner', 'main', 'status', 'region', 'list', 'heading', 'time']) expect(roles).toContain(role);
    expect(await tab.evaluate('document.documentElement.lang')).toBe('en');
  });

  it('follows the stack without a reload, and keeps what has focus', async () => {
    const tab = await openSignedIn();
    await tab.evaluate(
      'window.isSame = true; document.querySelector(\'[data-key="#/sessions/play-gateway-r7n2w"]\').focus()',
    );
    await seed.session({ playId: 'play-late-z9', age: 0 });
    await tab.until('document.body.innerText.includes("play-late-z9")');
    expect(await tab.evaluate('window.isSame')).toBe(true);
    expect(await tab.evaluate('document.activeElement.getAttribute("data-key")')).toBe('#/sessions/play-gateway-r7n2w');
  });

  it('rests while nobody sees it, and looks at once when somebody does', async () => {
    const tab = await openSignedIn();
    const hide = (isHidden: boolean) =>
      tab.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
        document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await hide(true);
    const before = tab.requests.length;
    // Longer than the pause between two looks.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(tab.requests.length).toBe(before);
    await hide(false);
    await expect.poll(() => tab.requests.length).toBeGreaterThan(before);
  });

  it('shows hostile text as text, and opens no address but http', async () => {
    const hostile = '<img src=x onerror="window.isOwned=1"></script><script>window.isOwned=1</script>\u202Egnp';
    const issue = { number: 1, url: 'javascript:window.isOwned=1' };
    await seed.incident({
      playId: 'play-widgets-m8k3t',
      change: { id: '3'.repeat(32), title: hostile, agent: hostile, target: 'acme/hostile' },
      diagnosis: aDiagnosis({
        summary: hostile,
        cause: [{ text: hostile, evidence: [hostile] }],
        remedy: [{ text: hostile, command: hostile }],
      }),
      steps: [{ change: { state: 'reported', issue, event: hostile }, stage: 'publication' }],
    });
    const tab = await openSignedIn(`#/incidents/${'3'.repeat(32)}`);
    expect(await text(tab, '#heading')).toBe(hostile.replace('\u202E', ''));
    expect(
      await tab.evaluate('document.querySelectorAll("main img, main script, main a[href^=javascript]").length'),
    ).toBe(0);
    expect(await tab.evaluate('window.isOwned ?? null')).toBe(null);
    expect(complaints(tab)).toEqual([]);
  });

  it('is held by its policy: no other host, no injected script or style', async () => {
    const tab = await openSignedIn();
    await tab.evaluate(`(() => {
      const script = document.createElement('script');
      try { script.text = 'window.isOwned = 1'; } catch {}
      document.head.append(script);
      const style = document.createElement('style');
      style.textContent = 'body { display: none }';
      document.head.append(style);
      try { document.body.insertAdjacentHTML('beforeend', '<b id="injected"></b>'); } catch {}
      return fetch('http://127.0.0.1:1/').catch(() => {});
    })()`);
    expect(
      await tab.evaluate(
        '[window.isOwned ?? null, document.querySelector("#injected"), getComputedStyle(document.body).display]',
      ),
    ).toEqual([null, null, 'block']);
    expect(tab.complaints.join('\n')).toMatch(/Content Security Policy/);
    const hosts = new Set(tab.requests.filter((url) => /^https?:/.test(url)).map((url) => new URL(url).origin));
    expect([...hosts].filter((origin) => origin !== 'http://127.0.0.1:1')).toEqual([server.url]);
  });

  it('says when the API does not answer, keeps what it showed, and comes back', async () => {
    const tab = await openSignedIn();
    await tab.send('Network.emulateNetworkConditions', {
      offline: true,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await tab.until('document.querySelector(".banner")');
    expect(await text(tab, '.banner')).toMatch(/Not up to date[^]*cannot be reached[^]*Trying again in \d+ s/);
    expect(await text(tab)).toContain('play-gateway-r7n2w');
    await tab.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await tab.evaluate('document.querySelector(".banner button").click()');
    await tab.until('!document.querySelector(".banner") && document.querySelector("#status").textContent === "Live"');
  });

  it('fits a phone, light and dark', async () => {
    for (const isDark of [false, true]) {
      const tab = await openSignedIn(`#/incidents/${TOOL}`);
      await tab.view({ width: 360, height: 740, isDark });
      expect(await tab.evaluate('document.documentElement.scrollWidth <= 360')).toBe(true);
      const ground = await tab.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect(ground).toBe(isDark ? 'rgb(17, 21, 20)' : 'rgb(246, 247, 245)');
    }
  });

  it('forgets the token when told to', async () => {
    const tab = await openSignedIn();
    await tab.evaluate('document.querySelector("#sign-out").click()');
    await tab.until('document.querySelector("#token")');
    expect(await tab.evaluate('sessionStorage.length')).toBe(0);
    expect(await text(tab)).not.toContain('play-gateway');
  });
});
