import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from './read-blocks.ts';

const BASE = 'http://HOST:8080/';
const settings = new Map(
  [...readFileSync(`${ROOT}docs/explorers.md`, 'utf8').matchAll(/^\| `([\w.]+)` \| (.+) \|$/gm)].map(
    ([, name = '', value = '']) => [name, value.replace(/^`(.*)`$/, '$1')],
  ),
);

/** @see contracts/client-needs.md section 4.5 */
test('the explorer is pointed at the server by the names of its own settings', () => {
  expect([...settings]).toEqual([
    ['url', BASE],
    ['sourcifySetup.activate', 'true'],
    ['sourcifySetup.serverURL', BASE],
    ['sourcifySetup.repoURL', `${BASE}repository/`],
    ['sourcifySetup.verifierURL', `${BASE}verify/`],
    ['sourcifySetup.chainID', expect.stringContaining('VERIFY_CHAINS')],
  ]);
});

test.each([...settings].filter(([, value]) => value.startsWith(BASE)))(
  '%s is served at %s',
  (_name, value) => {
    const { paths } = JSON.parse(readFileSync(`${ROOT}openapi/all.json`, 'utf8')) as {
      readonly paths: object;
    };
    const folder = value.slice(BASE.length - 1);
    expect(Object.keys(paths).filter((path) => `${path}/`.startsWith(folder))).not.toEqual([]);
  },
);
