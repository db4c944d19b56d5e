import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CHROMIUM_PLACES, findChromium } from './chromium.ts';

describe('findChromium', () => {
  const installed =
    (...paths: readonly string[]) =>
    (path: string) =>
      paths.includes(path);

  test('takes the first usual place that exists', () => {
    const exists = installed('/usr/bin/google-chrome', '/usr/bin/chromium-browser');
    expect(findChromium(undefined, exists)).toBe('/usr/bin/google-chrome');
    expect(findChromium('', exists)).toBe('/usr/bin/google-chrome');
  });

  test('takes the named one before the usual places, and nothing in place of a wrong name', () => {
    const exists = installed('/usr/bin/chromium', '/opt/chrome');
    expect(findChromium('/opt/chrome', exists)).toBe('/opt/chrome');
    expect(findChromium('/opt/other', exists)).toBeNull();
  });

  test('finds nothing where there is none', () => {
    expect(findChromium(undefined, installed())).toBeNull();
  });

  test('knows the same places as the script that installs one', () => {
    const script = readFileSync(new URL('../../scripts/install-chromium.sh', import.meta.url), 'utf8');
    for (const place of CHROMIUM_PLACES) expect(script).toContain(place);
  });
});
