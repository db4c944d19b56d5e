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

const FOLDER = sharedPath('cases', 'mirror-rest');
const files =
  sharedDataMissing === null
    ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    : [];

describe.skipIf(isLeftOut(sharedDataMissing))('mirror-rest cases', () => {
  let passed = 0;

  afterAll(() => {
    console.info(`mirror-rest: ${files.length} files, ${passed} requests and walks as expected`);
  });

  test.each(files.sort())('%s answers as recorded', async (name) => {
    const kase = readMirrorRestCase(readFileSync(join(FOLDER, name), 'utf8'));
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
