import { expect, test } from 'vitest';
import { processFamily, processFamilyInTurns } from './process-family.ts';

test('the family of a process is the same when other work has its turn meanwhile', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const family = await processFamilyInTurns(process.pid, 1);
  isOver = true;
  expect(family).toContain(process.pid);
  expect(processFamily(process.pid)).toContain(process.pid);
  // Elsewhere there is no list to read.
  if (process.platform === 'linux') expect(turns).toBeGreaterThan(0);
});
