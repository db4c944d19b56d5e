import { expect, test } from 'vitest';
import { type Scan, ScanScheduler } from './scan-scheduler.ts';

test('gives one turn in each round of the event loop, in order, and lets nobody wait for ever', async () => {
  const rounds: (() => void)[] = [];
  const turns = new ScanScheduler((call) => void rounds.push(call));
  const taken: string[] = [];
  const scan = (name: string) => async (each: Scan) => {
    for (let part = 1; part <= 2; part++) {
      await each.turn();
      taken.push(`${name}${part}`);
    }
  };
  const scans = ['a', 'b', 'c'].map((name) => turns.run(scan(name)));
  const perRound: string[][] = [];
  for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) {
    round();
    await Promise.resolve();
    await Promise.resolve();
    perRound.push(taken.splice(0));
  }
  await Promise.all(scans);
  expect(perRound).toEqual([['a1'], ['b1'], ['c1'], ['a2'], ['b2'], ['c2']]);
});

test('runs sixteen at a time and refuses more, also after one has failed', async () => {
  const turns = new ScanScheduler();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const failing = turns.run(async () => {
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  const running = Array.from({ length: 16 }, () => turns.run(() => ended));
  const refused = { code: 'server_busy', retryAfterSeconds: 5 };
  await expect(turns.run(async () => {})).rejects.toMatchObject(refused);
  end();
  await Promise.all(running);
  await turns.run(async () => {});
});
