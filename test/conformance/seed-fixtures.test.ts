import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sharedPath } from '../shared-data.ts';
import { describeShared } from '../support/shared-suites.ts';
import { startTestServer } from '../support/test-server.ts';
import { storeSeedFixture } from './seed-fixtures.ts';

/** Each paragraph below `Fixtures` begins with the name of one. */
const named = (): readonly string[] => {
  const [, fixtures = ''] = readFileSync(sharedPath('cases', 'seed', 'README.md'), 'utf8').split(
    '## Fixtures',
  );
  return [...fixtures.matchAll(/^`([a-z-]+)`:/gm)].map(([, name = '']) => name);
};

describeShared('storeSeedFixture', () => {
  test('knows every fixture that the README of the cases names', async () => {
    const names = named();
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const server = await startTestServer({});
      await storeSeedFixture(name, server);
      await server.close();
    }
  });

  test('closes what was open on the busy page', async () => {
    const server = await startTestServer({});
    await storeSeedFixture('status-closed', server);
    const { incidents } = (await (await fetch(`${server.url}/api/v2/summary.json`)).json()) as {
      readonly incidents: readonly unknown[];
    };
    expect(incidents).toEqual([]);
    await server.close();
  });
});
