// Writes docs/pictures/contract-page.png and status-page.png: pages of the demo as a browser shows them.
// Run: npm run build:server && npx tsx scripts/write-screenshots.ts   (needs a Chromium: scripts/install-chromium.sh)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../test/browser/chromium.ts';

const PICTURES = { 'Verified contract': 'contract-page.png', 'Status page': 'status-page.png' };
const SIZE = { width: 1000, height: 640 };
const MAX_BYTES = 150_000;
const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const demo = spawn(process.execPath, [pathOf('dist/main.js'), 'demo', '--serve'], {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(demo, 'exit');
const browser = await launchChromium();
try {
  const links = new Map<string, string>();
  for await (const line of createInterface(demo.stdout)) {
    const [, name = '', url = ''] = /^(\S.*?) {2,}(http:\S+)$/.exec(line) ?? [];
    links.set(name, url);
    if (line.startsWith('Press Ctrl-C')) break;
  }
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
  for (const [name, file] of Object.entries(PICTURES)) {
    await page.goto(links.get(name) ?? `about:blank#${name}`, { waitUntil: 'networkidle' });
    const picture = await page.screenshot();
    if (picture.length > MAX_BYTES) throw new Error(`${file} has ${picture.length} bytes of ${MAX_BYTES}`);
    writeFileSync(pathOf(`docs/pictures/${file}`), picture);
    console.log(`docs/pictures/${file}: ${picture.length} bytes`);
  }
} finally {
  await browser.close();
  demo.kill('SIGINT');
  await ended;
}
