import { expect, test } from 'vitest';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { IngestError } from '../errors.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import { ChainOrder, UnitLinks } from './chain-order.ts';

test('a unit that was refused where its link says it belongs is not tried there again', async () => {
  const end = { hash: new Uint8Array(48).fill(1) };
  const unit: StreamUnit = {
    instant: consensusTimestamp(5n),
    name: 'a.rcd',
    isThere: true,
    link: async () => ({ previousHash: end.hash, hash: new Uint8Array(48).fill(2), blockNumber: 7n }),
    verify: () => Promise.reject(new Error('not asked')),
    absence: () => Promise.reject(new Error('not asked')),
    previousHash: async () => end.hash,
  };
  const listed = [unit];
  const order = new ChainOrder({
    step: async () => listed.shift() ?? null,
    end: async () => end as never,
    isLate: () => false,
    links: new UnitLinks({ hasUnit: async () => false, hashOfBlock: async () => null }),
    findsFirst: false,
  });
  expect(await order.next()).toBe(unit);
  const error = new IngestError('chain_mismatch', 'another copy of it follows another one');
  expect(await order.hold(unit, error, () => {})).toBe(true);
  expect(await order.next()).toBeNull();
  expect(order.stuck?.unit).toBe(unit);
  end.hash = new Uint8Array(48).fill(3);
  expect(await order.next()).toBeNull();
});
