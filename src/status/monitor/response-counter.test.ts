import { expect, test } from 'vitest';
import { ResponseCounter } from './page-upkeep.ts';

test('what could not be written is written with what comes after it, once', async () => {
  const counter = new ResponseCounter();
  counter.add('database', 4);
  const failing = counter.flush(async () => {
    counter.add('database', 4);
    throw new Error('busy');
  });
  await expect(failing).rejects.toThrow('busy');
  const written: unknown[] = [];
  const write = async (counts: readonly unknown[]) => void written.push(...counts);
  await counter.flush(write);
  await counter.flush(write);
  expect(written).toEqual([{ probe: 'database', bucket: 8, count: 2 }]);
});
