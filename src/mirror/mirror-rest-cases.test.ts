import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sharedDataMissing, sharedPath } from '../../test/shared-data.ts';
import { isLeftOut } from '../../test/support/left-out.ts';
import { buildMirrorApp } from './testing/mirror-app.ts';
import {
  caseOptions,
  caseRuns,
  caseTime,
  readMirrorRestCase,
  storeCase,
} from './testing/mirror-rest-case.ts';

const CASES = sharedPath('cases');
/** Those of `mirror-entities` by kind, since each is told by a feature of its own. */
const ENTITY_FOLDERS: readonly string[] = [
  'account-airdrops',
  'account-allowances',
  'account-nfts',
  'account-tokens',
  'accounts',
  'account-rewards',
  'balances',
  'nfts',
  'schedules',
  'token-balances',
  'tokens',
  'topic-messages',
  'topics',
];
/** Files of these folders that show pending rewards, which stakes at the ends of periods decide: they are not kept. */
const WITH_STAKES: ReadonlySet<string> = new Set(
  ['id-no-params', 'id-transactions', 'list-no-params'].map((name) =>
    join('mirror-entities', 'accounts', `${name}.json`),
  ),
);
const FOLDERS = [
  'mirror-rest',
  'mirror-contracts',
  ...ENTITY_FOLDERS.map((name) => join('mirror-entities', name)),
];
const files = sharedDataMissing === null ? FOLDERS.flatMap(caseFiles) : [];

function caseFiles(folder: string): readonly string[] {
  const names = readdirSync(join(CASES, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
    .filter((path) => !WITH_STAKES.has(path));
}

describe.skipIf(isLeftOut(sharedDataMissing))('mirror-rest cases', () => {
  let passed = 0;

  afterAll(() => {
    console.info(`mirror-rest: ${files.length} files, ${passed} requests and walks as expected`);
  });

  test.each([...files].sort())('%s answers as recorded', async (name) => {
    const kase = readMirrorRestCase(readFileSync(join(CASES, name), 'utf8'));
    const runs = caseRuns(kase);
    expect(runs.length).toBeGreaterThan(0);
    for (const bindsTimestampRange of [false, true]) {
      const wanted = runs.filter((run) => run.bindsTimestampRange === bindsTimestampRange);
      if (wanted.length === 0) continue;
      const mirror = await buildMirrorApp(caseOptions(kase, bindsTimestampRange));
      try {
        mirror.clock.set(caseTime(kase) ?? Date.UTC(2026, 0, 1));
        await storeCase(kase, name, mirror.area.ledger);
        for (const run of wanted) {
          const faults = await run.check(async (url) => {
            const answer = await mirror.app.inject({ url });
            return { status: answer.statusCode, headers: answer.headers, body: answer.body };
          });
          expect.soft(faults, `${run.title} (bound: ${bindsTimestampRange})`).toEqual([]);
          if (faults.length === 0) passed++;
        }
      } finally {
        await mirror.close();
      }
    }
  });
});
