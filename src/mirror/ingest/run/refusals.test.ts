import { expect, test } from 'vitest';
import { IngestError } from '../errors.ts';
import { silentLog } from '../report/ingest-log.ts';
import { Rejections } from '../report/ingest-state.ts';
import { createRefusals } from './refusals.ts';

test.each([
  ['consensus_not_reached', true],
  ['unsupported_proof', true],
  ['bad_block_proof', false],
] as const)('what a watched source waits for is no failure for half a minute: %s %s', (code, mayCome) => {
  let now = 1_700_000_000_000;
  const refusals = createRefusals({
    clock: { now: () => now },
    isWatched: true,
    log: silentLog,
    rejections: new Rejections(),
  });
  const state = () => refusals.refuse('5.blk', new IngestError(code, 'not yet'), null).state.state;
  expect(state()).toBe(mayCome ? 'idle' : 'failed');
  now += 29_000;
  expect(state()).toBe(mayCome ? 'idle' : 'failed');
  now += 2_000;
  expect(state()).toBe('failed');
});
