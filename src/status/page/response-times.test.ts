import { describe, expect, onTestFinished, test } from 'vitest';
import { manageApp } from '../../../test/kit/status/manage-app.ts';
import { openStatusArea } from '../../../test/kit/status/open-status-area.ts';
import { visibleText } from '../../../test/kit/status/page-outline.ts';
import { printHtml } from '../../pages/html.ts';
import type { HealthProbe } from '../monitor/health-probe.ts';
import { describeChart, durationWords, renderResponseTimes } from './rendering/render-home.ts';
import type { ResponseDay } from './views/response-charts.ts';

const SAMPLE_MS = 15_000;
const WRITE_MS = 300_000;
const DAY_MS = 86_400_000;

async function running(durations: readonly (number | undefined)[]) {
  const left = [...durations];
  const probe: HealthProbe = {
    name: 'database',
    check: async () => ({ level: 'operational', detail: null, durationMs: left.shift() }),
  };
  const opened = await openStatusArea({ probes: [probe], options: { builtinComponents: true } });
  await opened.area.start();
  const app = await manageApp(opened.area);
  onTestFinished(async () => {
    await app.close();
    await opened.area.close();
    await opened.close();
  });
  const sample = async (count: number) => {
    for (let done = 0; done < count; done += 1) {
      await opened.turn(SAMPLE_MS);
      opened.clock.advance(SAMPLE_MS);
    }
    await opened.turn(WRITE_MS);
  };
  return {
    ...opened,
    sample,
    page: async () => (await app.inject({ url: '/status', headers: { accept: 'text/html' } })).body,
  };
}

describe('response times', () => {
  test('of the measured parts are charts on the page, with their scale and in words', async () => {
    const { page, sample } = await running([10, 12, 400, undefined]);
    expect(await page()).not.toContain('Response times');
    await sample(4);
    const shown = await page();
    expect(visibleText(shown)).toMatch(/Response times .* Platform - Database|Response times .*Database/);
    expect(shown).toMatch(
      /aria-label="Response times of [^"]*Database in the last 90 days: median of a day 1[12] ms, 95th percentile \d+ ms\. No data for 89 days\."/,
    );
    expect(shown).toContain('<span class="small muted">500 ms</span><span class="small muted">0</span>');
    expect(shown).not.toMatch(/\sstyle=/);
  });

  test('days without an answer are gaps, and what is older than the charts is dropped', async () => {
    const { clock, page, sample, store } = await running([10, 10, 10]);
    await sample(1);
    clock.advance(2 * DAY_MS);
    await sample(2);
    await sample(1);
    expect(await page()).toMatch(/<path class="most" d="M87 [\d.]+h0M89 [\d.]+h0"\/>/);
    clock.advance(100 * DAY_MS);
    await store.responseTimes.add(
      [{ probe: 'database', date: '2026-06-12', bucket: 3, count: 1 }],
      '2026-03-15',
    );
    expect((await store.responseTimes.read('2000-01-01')).map(({ date }) => date)).toEqual(['2026-06-12']);
  });

  test('are added up over writes', async () => {
    const { area, sample, store } = await running([10, 10, 10]);
    await sample(2);
    await sample(1);
    expect(await store.responseTimes.read('2000-01-01')).toEqual([
      { probe: 'database', date: '2026-03-02', bucket: 14, count: 3 },
    ]);
    await area.close();
  });
});

describe('the chart in words', () => {
  const day = (median: number, most: number): ResponseDay => ({ median, most });

  test('names ranges, units and gaps', () => {
    expect(describeChart({ id: 'a', name: 'API', days: [day(10, 30), null, day(20, 1500)] })).toBe(
      'Response times of API in the last 3 days: median of a day 10 ms to 20 ms, 95th percentile 30 ms to 1.5 s. No data for 1 day.',
    );
  });

  test.each([
    [0.2, '1 ms'],
    [12.4, '12 ms'],
    [123, '120 ms'],
    [998, '1 s'],
    [1449, '1.4 s'],
    [61_000, '61 s'],
  ])('%f ms is %s', (ms, words) => {
    expect(durationWords(ms)).toBe(words);
  });

  test('hostile names stay text', () => {
    const drawn = printHtml(renderResponseTimes([{ id: 'a', name: '"><script>', days: [day(1, 1)] }]));
    expect(drawn).not.toContain('<script>');
  });
});
