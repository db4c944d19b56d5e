import { expect, test } from 'vitest';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { IngestError } from '../errors.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import { ChainOrder } from './chain-order.ts';

test('a unit that was refused where its link says it belongs is not tried there again', async () => {
  let end = { hash: new Uint8Array(48).fill(1) };
  const before = end.hash;
  const unit: StreamUnit = {
    instant: consensusTimestamp(5n),
    name: 'a.rcd',
    isThere: true,
    async *links() {
      yield { previousHash: before, hash: new Uint8Array(48).fill(2), blockNumber: 7n };
    },
    verify: () => Promise.reject(new Error('not asked')),
    absence: () => Promise.reject(new Error('not asked')),
    previousHash: async () => before,
  };
  const listed = [unit];
  const order = new ChainOrder({
    step: async () => listed.shift() ?? null,
    end: async () => end as never,
    isLate: () => false,
    findsFirst: false,
    readsAllCopies: () => true,
  });
  expect(await order.next()).toBe(unit);
  const error = new IngestError('chain_mismatch', 'another copy of it follows another one');
  expect(await order.hold(unit, error, () => {})).toBe(true);
  expect(await order.next()).toBeNull();
  expect((await order.stuck())?.unit).toBe(unit);
  // It says why behind each end.
  end = { hash: new Uint8Array(48).fill(3) };
  expect(await order.next()).toBe(unit);
});
