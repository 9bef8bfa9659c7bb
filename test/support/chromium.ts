import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Chromium of this machine: the one in `CHROMIUM`, or where packages put it. */
export const CHROMIUM = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path !== '' && existsSync(path));

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

interface View {
  readonly width: number;
  readonly height: number;
  readonly isDark?: boolean;
}

/** One tab, driven by the DevTools protocol. */
export interface Tab {
  open(url: string): Promise<void>;
  /** The value of an expression; a promise is awaited. @throws Error when it throws */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until the expression is true. @throws Error that names it after ten seconds */
  until(expression: string): Promise<void>;
  /** Types into what has focus. */
  type(text: string): Promise<void>;
  /** Presses a key by its name, e.g. `Tab` or `Enter`. */
  press(key: string): Promise<void>;
  view(view: View): Promise<void>;
  screenshot(): Promise<Buffer>;
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Errors, refused resources and violations of the policy, as the console shows them. */
  readonly complaints: readonly string[];
  /** Addresses of all requests. */
  readonly requests: readonly string[];
}

export interface Browser {
  newTab(): Promise<Tab>;
  stop(): Promise<void>;
}

/** Starts a headless Chromium with a profile of its own. */
export async function startChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('no Chromium is installed');
  const profile = mkdtempSync(join(tmpdir(), 'healer-chromium-'));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--hide-scrollbars',
  ];
  const place = ['--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'];
  const child = spawn(CHROMIUM, [...flags, ...quiet, ...place], { stdio: ['ignore', 'ignore', 'pipe'] });
  const socket = new WebSocket(await debuggerAddress(child));
  await once(socket, 'open');
  const link = createLink(socket);
  return {
    newTab: () => openTab(link),
    async stop() {
      socket.close();
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Chromium prints where its debugger listens. */
function debuggerAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.once('exit', (code) => reject(new Error(`Chromium ended with code ${code}:\n${printed}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const address = /DevTools listening on (ws:\S+)/.exec(printed)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

type Listener = (message: Message & { readonly sessionId?: string }) => void;

function createLink(socket: WebSocket) {
  const waiting = new Map<number, (message: Message) => void>();
  const listeners = new Set<Listener>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id === undefined) for (const listener of listeners) listener(message);
    else waiting.get(message.id)?.(message);
  });
  const send = (method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, ({ error, result }) => {
        waiting.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result ?? {});
      });
      socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  return { send, listen: (listener: Listener) => void listeners.add(listener) };
}

const KEYS: Readonly<Record<string, object>> = {
  Tab: { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
};
const WAIT_MS = 10_000;

async function openTab(link: ReturnType<typeof createLink>): Promise<Tab> {
  // A context of its own has a storage of its own.
  const { browserContextId } = await link.send('Target.createBrowserContext');
  const { targetId } = await link.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await link.send('Target.attachToTarget', { targetId, flatten: true });
  const send = (method: string, params?: object) => link.send(method, params, sessionId as string);
  const complaints: string[] = [];
  const requests: string[] = [];
  link.listen(({ method, params, sessionId: from }) => {
    if (from !== sessionId) return;
    if (method === 'Log.entryAdded') complaints.push((params as { entry: { text: string } }).entry.text);
    if (method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(params?.['exceptionDetails']));
    if (method === 'Network.requestWillBeSent') requests.push((params as { request: { url: string } }).request.url);
  });
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(`${domain}.enable`);
  return { ...actions(send), complaints, requests, send };
}

function actions(send: Tab['send']): Omit<Tab, 'complaints' | 'requests' | 'send'> {
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = (await send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as { result: { value?: unknown }; exceptionDetails?: unknown };
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return result.value as T;
  };
  const until = async (expression: string) => {
    for (const started = performance.now(); performance.now() - started < WAIT_MS; ) {
      if (await evaluate<boolean>(`Boolean(${expression})`)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`this did not become true: ${expression}\n${await evaluate<string>('document.body.innerText')}`);
  };
  return {
    evaluate,
    until,
    async open(url) {
      await send('Page.navigate', { url });
      await until('document.readyState === "complete" && location.href !== "about:blank"');
    },
    type: async (text) => void (await send('Input.insertText', { text })),
    async press(key) {
      for (const type of ['keyDown', 'keyUp']) await send('Input.dispatchKeyEvent', { type, ...KEYS[key] });
    },
    async view({ width, height, isDark = false }) {
      const mobile = width < 600;
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: mobile ? 1.5 : 1, mobile });
      const value = isDark ? 'dark' : 'light';
      await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
    },
    async screenshot() {
      const { data } = await send('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(data as string, 'base64');
    },
  };
}
