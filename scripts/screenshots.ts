import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_TOKEN, serveSessionApi } from '#test/support/api-server.ts';
import { startChromium, type Tab } from '#test/support/chromium.ts';
import { seedShowcase } from '#test/support/page-world.ts';
import { startSessionApi } from '#test/support/session-api.ts';

/** Writes `docs/screenshots/*.png`: the page over seeded tables, in a headless Chromium. */
const FOLDER = join(import.meta.dirname, '../docs/screenshots');

const DESKTOP = { width: 1200, height: 830 };
const PHONE = { width: 390, height: 844 };
const INCIDENT = `#/incidents/${'2'.repeat(32)}`;

const SHOTS = [
  { name: 'light', view: DESKTOP, hash: '#/', until: '.list .row' },
  { name: 'dark', view: { ...DESKTOP, isDark: true }, hash: INCIDENT, until: '.timeline' },
  { name: 'phone', view: PHONE, hash: '#/', until: '.list .row' },
] as const;

async function shoot(tab: Tab, url: string, shot: (typeof SHOTS)[number]): Promise<Buffer> {
  await tab.view(shot.view);
  await tab.open(`${url}/${shot.hash}`);
  await tab.until(`document.querySelector('#token')`);
  await tab.evaluate(`document.querySelector('#token').focus()`);
  await tab.type(API_TOKEN);
  await tab.press('Enter');
  await tab.until(`document.querySelector('${shot.until}')`);
  return tab.screenshot();
}

const api = await startSessionApi();
await seedShowcase(api);
const server = await serveSessionApi(api);
const browser = await startChromium();
mkdirSync(FOLDER, { recursive: true });
for (const shot of SHOTS) {
  const image = await shoot(await browser.newTab(), server.url, shot);
  writeFileSync(join(FOLDER, `${shot.name}.png`), image);
  console.log(`${shot.name}.png: ${Math.round(image.length / 1024)} KB`);
}
await browser.stop();
await server.stop();
await api.stop();
