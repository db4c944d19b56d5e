import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fillLargePage } from '../../../test/kit/status/large-page.ts';
import { type OpenStatusArea, openStatusArea, START } from '../../../test/kit/status/open-status-area.ts';
import { createPageContents, type PageContents } from './page-content.ts';

const SITE = { base: '/status', root: '', version: '1.0.0' };
/** @see contracts/status.md section 10 */
const BUDGET_BYTES = 60 * 1024;
/** A page ten times as large, where squared work would take a hundred times as long. */
const MAX_GROWTH = 25;
/** Shorter ones are too uncertain to be multiplied. */
const MIN_MS = 5;
/** The contract has 200 ms for a page of 1,100 components; a slow machine takes twice that. */
const MAX_MS = 1000;

let opened: OpenStatusArea;
let contents: PageContents;

beforeEach(async () => {
  opened = await openStatusArea();
  contents = createPageContents(opened.area.repository);
});

afterEach(() => opened.close());

/** Processor time of the quickest of five runs in milliseconds: other work of the machine does not count. */
async function leastMs(run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

describe('the status page', () => {
  test.each([
    ['that never change', 0],
    ['that change once a day', 90],
    ['that change four times a day', 360],
  ])('of twenty components %s is below 60 KiB', async (_, changes) => {
    await fillLargePage(
      opened.area.repository,
      { components: 20, changes, incidents: 20, incidentDays: 14 },
      START,
    );
    const page = await contents.home(SITE, START);
    expect(page.match(/role="img"/g)).toHaveLength(20);
    expect(Buffer.byteLength(page)).toBeLessThan(BUDGET_BYTES);
  });

  // How many milliseconds that may be depends on the machine. @see contracts/status.md section 13, check 6
  test('of 1,100 components and 5,000 incidents takes time in proportion to its size', async () => {
    const times = async (components: number, incidents: number) => {
      await fillLargePage(
        opened.area.repository,
        { components, changes: 4, incidents, incidentDays: 700 },
        START,
      );
      return {
        home: await leastMs(() => contents.home(SITE, START)),
        history: await leastMs(() => contents.history(SITE, START, 1)),
      };
    };
    const small = await times(110, 500);
    await opened.close();
    opened = await openStatusArea();
    contents = createPageContents(opened.area.repository);
    const large = await times(1100, 5000);
    console.info('processor time of 110 and of 1,100 components in ms:', small, large);
    const most = (smallMs: number) => Math.min(MAX_MS, MAX_GROWTH * Math.max(MIN_MS, smallMs));
    expect(large.home).toBeLessThan(most(small.home));
    expect(large.history).toBeLessThan(most(small.history));
  });

  test('ends with the last day that it shows completely when too much happened', async () => {
    await fillLargePage(
      opened.area.repository,
      { components: 1, changes: 0, incidents: 5000, incidentDays: 14 },
      START,
    );
    const page = await contents.home(SITE, START);
    expect(page.match(/<div class="past">/g)).toHaveLength(100);
    expect(page.match(/<h3>/g)).toHaveLength(1);
    expect(page).not.toContain('No incidents reported.');
    const history = await contents.history(SITE, START, 1);
    expect(history.match(/>Incident \d+</g)).toHaveLength(5000);
  });
});
