import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { RequestHistogram } from './request-histogram.ts';

const bounds = [0.001, 0.5, 10];
const labels = { method: 'GET', route: '/list/:id', status: 200 };

test('prints what a histogram of prom-client prints', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const histogram = new RequestHistogram({ name: 'seconds', help: 'Time', bounds });
  ours.registerMetric(histogram as unknown as Histogram);
  const reference = new Histogram({
    name: 'seconds',
    help: 'Time',
    labelNames: ['method', 'route', 'status'],
    buckets: bounds,
    registers: [theirs],
  });
  for (const each of [labels, { ...labels, status: 404 }]) {
    const observe = histogram.series(each);
    for (const value of [0.0001, 0.001, 0.0011, 0.5, 9, 10, 11]) {
      observe(value);
      reference.observe(each, value);
    }
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});

test('begins again at a reset, and counts everything with the same labels together', async () => {
  const histogram = new RequestHistogram({ name: 'seconds', help: 'Time', bounds });
  const observe = histogram.series(labels);
  observe(0.2);
  histogram.reset();
  observe(3);
  histogram.series(labels)(20);
  const { values } = await histogram.get();
  expect(values.map(({ value }) => value)).toEqual([0, 0, 1, 2, 23, 2]);
});
