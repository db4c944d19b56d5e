import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where packages of Linux distributions put the executable. */
export const CHROMIUM_PLACES = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser'];

/** The executable that the tests drive; null when there is none. `CHROMIUM_PATH` counts before the usual places. */
export const chromiumPath = findChromium(process.env['CHROMIUM_PATH'], existsSync);

/** Why the tests that need a browser cannot run here; null when they can. */
export const chromiumMissing =
  chromiumPath === null ? 'no Chromium: run "npm run test:page", or set CHROMIUM_PATH' : null;

/** The named executable, or else the first that exists; a named one that does not exist is not replaced. */
export function findChromium(named: string | undefined, exists: (path: string) => boolean): string | null {
  const candidates = named === undefined || named === '' ? CHROMIUM_PLACES : [named];
  return candidates.find(exists) ?? null;
}

/** Starts it without a window, in a new empty profile, silent towards its maker. */
export async function launchChromium(): Promise<Browser> {
  if (chromiumPath === null) throw new Error(String(chromiumMissing));
  return chromium.launch({
    executablePath: chromiumPath,
    headless: true,
    // A sandbox cannot be made by root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
