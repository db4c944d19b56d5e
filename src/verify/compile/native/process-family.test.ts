import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLeftOut, notLinux } from '../../../../test/support/left-out.ts';
import { processFamily, processFamilyInTurns } from './process-family.ts';

// Elsewhere there is no list to read.
test.skipIf(isLeftOut(notLinux))(
  'the family of a process is the same when other work has its turn meanwhile',
  async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const marks = { leader: process.pid, folder: join(tmpdir(), 'nowhere'), sinceTicks: 0 };
    const family = await processFamilyInTurns(marks, 1);
    isOver = true;
    const pids = [family, processFamily(marks)].map((each) => each.map(({ pid }) => pid));
    expect(pids).toEqual([expect.arrayContaining([process.pid]), expect.arrayContaining([process.pid])]);
    expect(turns).toBeGreaterThan(0);
  },
);
