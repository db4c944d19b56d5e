import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../tools/network/seeded-random.ts';
import { entityId } from '../../../values/entity-id.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { type FungibleEntry, fungibleMoves } from './token-events.ts';

const entry = (account: bigint, amount: bigint): FungibleEntry => ({ account: entityId(account), amount });
const moved = (type: number, ...entries: readonly FungibleEntry[]) =>
  fungibleMoves(type, entries).map(({ amount, from, to }) => [from, to, amount]);

/** Hands over unit by unit, from the first sender that has some to the first receiver that wants some. */
function unitByUnit(entries: readonly FungibleEntry[]) {
  const ranked = entries.toSorted((one, other) => {
    const [left, right] = [one, other].map(({ amount }) => (amount < 0n ? -amount : amount));
    return Number((right ?? 0n) - (left ?? 0n)) || Number(one.account - other.account);
  });
  const units = (sign: bigint) =>
    ranked.flatMap(({ account, amount }) => Array<bigint>(Math.max(0, Number(amount * sign))).fill(account));
  const [from, to] = [units(-1n), units(1n)];
  const moves = new Map<string, bigint>();
  for (const [index, sender] of from.entries()) {
    const pair = `${sender} ${to[index]}`;
    moves.set(pair, (moves.get(pair) ?? 0n) + 1n);
  }
  return [...moves].map(([pair, amount]) => `${pair} ${amount}`);
}

describe('fungibleMoves', () => {
  test('two entries are one transfer, whichever stands first', () => {
    expect(moved(TYPE.CRYPTOTRANSFER, entry(7n, 5n), entry(8n, -5n))).toEqual([[8n, 7n, 5n]]);
    expect(moved(TYPE.CRYPTOTRANSFER, entry(8n, -5n), entry(7n, 5n))).toEqual([[8n, 7n, 5n]]);
  });

  test('what is created comes from nobody, what is destroyed goes to nobody', () => {
    expect(moved(TYPE.TOKENCREATION, entry(7n, 5n))).toEqual([[null, 7n, 5n]]);
    expect(moved(TYPE.TOKENMINT, entry(7n, 5n), entry(8n, -1n))).toEqual([[null, 7n, 5n]]);
    expect(moved(TYPE.TOKENBURN, entry(7n, -5n))).toEqual([[7n, null, 5n]]);
    expect(moved(TYPE.TOKENWIPE, entry(7n, -5n), entry(8n, 5n))).toEqual([[7n, null, 5n]]);
  });

  test('of many entries the largest are paired first, then the lowest accounts', () => {
    const entries = [
      entry(1n, -3n),
      entry(2n, -7n),
      entry(3n, 4n),
      entry(4n, 4n),
      entry(5n, 2n),
      entry(6n, 0n),
    ];
    expect(moved(TYPE.CRYPTOTRANSFER, ...entries)).toEqual([
      [2n, 3n, 4n],
      [2n, 4n, 3n],
      [1n, 4n, 1n],
      [1n, 5n, 2n],
    ]);
  });

  test('entries that do not balance, or stand alone, tell nobody', () => {
    expect(moved(TYPE.CRYPTOTRANSFER, entry(1n, -3n), entry(2n, 1n), entry(3n, 1n))).toEqual([]);
    expect(moved(TYPE.TOKENDISSOCIATE, entry(1n, -3n))).toEqual([]);
    expect(moved(TYPE.CRYPTOTRANSFER)).toEqual([]);
  });

  test('pairs as if every unit were handed over by itself', () => {
    const random = seededRandom('pairing');
    for (let round = 0; round < 200; round++) {
      const amounts = Array.from({ length: 2 + random.below(6) }, () => BigInt(random.below(19) - 9));
      amounts.push(-amounts.reduce((sum, amount) => sum + amount, 0n));
      const entries = amounts.map((amount, index) => entry(BigInt((index * 7) % 11) + 1n, amount));
      if (entries.length === 2) continue;
      const moves = fungibleMoves(TYPE.CRYPTOTRANSFER, entries);
      expect(moves.map(({ amount, from, to }) => `${from} ${to} ${amount}`)).toEqual(unitByUnit(entries));
    }
  });
});
