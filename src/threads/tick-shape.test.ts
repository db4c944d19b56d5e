import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULES = ['tick-shape', 'small-nursery'].map((name) => new URL(`./${name}.ts`, import.meta.url).href);
const SCRIPT = `
  const [{ keepTickShape }, { collectGarbage }] = await Promise.all(${JSON.stringify(MODULES)}.map((url) => import(url)));
  const ticks = (count) =>
    new Promise((resolve) => {
      const tick = () => (--count > 0 ? process.nextTick(tick) : resolve());
      tick();
    });
  const isCollected = process.argv[1] === 'collected';
  if (isCollected) keepTickShape();
  await ticks(1000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  if (isCollected) collectGarbage();
  await ticks(100_000);
  const before = process.cpuUsage();
  await ticks(1_000_000);
  console.log(process.cpuUsage(before).user);
`;

const microsOfTicks = (how: 'collected' | 'uncollected'): number =>
  Number(execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', SCRIPT, how]));

// Other work on the machine lengthens single runs: the least of several in turn is what the calls themselves cost.
test('calls of nextTick cost no more after a collection that found none', () => {
  const rounds = Array.from(
    { length: 4 },
    () => [microsOfTicks('collected'), microsOfTicks('uncollected')] as const,
  );
  const least = (place: 0 | 1): number => Math.min(...rounds.map((round) => round[place]));
  expect(least(0)).toBeLessThan(2 * least(1));
});
