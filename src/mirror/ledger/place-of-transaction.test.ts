import { expect, test } from 'vitest';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { placeOfTransaction } from './place-of-transaction.ts';

test.each([0, 1, 2, 3, 8, 9])(
  'each of %s transactions has its place, and no time between them has one',
  (count) => {
    const transactions = Array.from({ length: count }, (_none, place) => ({
      consensusTimestamp: consensusTimestamp(BigInt(place * 2 + 1)),
    }));
    const places = Array.from({ length: count * 2 + 1 }, (_none, time) =>
      placeOfTransaction(transactions, BigInt(time)),
    );
    expect(places).toEqual(
      Array.from({ length: count * 2 + 1 }, (_none, time) => (time % 2 === 1 ? (time - 1) / 2 : -1)),
    );
  },
);
