import { expect, test } from 'vitest';
import { nativeBlocks, type RealBlock } from '../../../../test/kit/mirror/ingest/real-blocks.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { printEntityId } from '../../../values/entity-id.ts';
import { decodeItem } from '../../items/decoded-item.ts';
import type { BalanceStatement } from '../../ledger/rows.ts';
import { resultName } from '../../vocabulary/response-codes.ts';
import { TYPE, transactionTypeNumber } from '../../vocabulary/transaction-types.ts';
import { decodeUnit } from '../decode/decode-unit.ts';
import { emptyLookup } from '../decode/known-entities.ts';
import { addBalances, blockRecords } from './block-records.ts';
import { readTransactions } from './read-transactions.ts';

const rowsOf = ({ block, facts }: RealBlock) =>
  decodeUnit(blockRecords(block.items).items, facts.file, emptyLookup);

describeShared('blockRecords on real files', () => {
  const blocks = nativeBlocks().map((each) => [each.facts.file, each] as const);

  test.each(blocks)('%s has the transactions that the facts say', (_name, { block, facts }) => {
    const { items, notes } = blockRecords(block.items);
    const decoded = items.map(decodeItem);
    expect(decoded).toHaveLength(facts.count);
    const types = Object.entries(facts.types).map(([name, count]) => [transactionTypeNumber(name), count]);
    expect(countBy(decoded.map(({ type }) => type))).toEqual(new Map(types as [number, number][]));
    expect(countBy(decoded.map(({ result }) => resultName(result)))).toEqual(
      new Map(Object.entries(facts.results)),
    );
    const times = decoded.map(({ consensusTimestamp }) => printTimestamp(consensusTimestamp));
    expect([times.at(0) ?? null, times.at(-1) ?? null]).toEqual([facts.consensus_start, facts.consensus_end]);
    expect(notes).toEqual([]);
  });

  test.each(blocks)('every creation in %s has an id of its own', async (_name, real) => {
    const created = new Set<number>([TYPE.CRYPTOCREATEACCOUNT, TYPE.FILECREATE, TYPE.CONSENSUSCREATETOPIC]);
    const { nodeChanges, transactions } = await rowsOf(real);
    const ids = transactions.filter(({ type }) => created.has(type)).map(({ entityId }) => entityId);
    expect(ids).not.toContain(null);
    expect(new Set(ids).size).toBe(ids.length);
    expect(nodeChanges.map(({ nodeId }) => nodeId)).toEqual(nodeChanges.map((_, index) => BigInt(index)));
  });

  test('blocks-0.78 gives topics and the file their ids, the message its number and hash', async () => {
    const last = nativeBlocks('blocks-0.78')[2];
    const { transactions } = await rowsOf(last as RealBlock);
    const idsOf = (of: number) =>
      transactions.filter(({ type }) => type === of).map(({ entityId }) => printEntityId(entityId ?? 0n));
    expect(idsOf(TYPE.CONSENSUSCREATETOPIC)).toEqual(
      [1202, 1203, 1204, 1205, 1206].map((num) => `11.12.${num}`),
    );
    expect(idsOf(TYPE.FILECREATE)).toEqual(['11.12.1207']);
    const message = blockRecords((last as RealBlock).block.items)
      .items.map(decodeItem)
      .find(({ type }) => type === TYPE.CONSENSUSSUBMITMESSAGE);
    expect(message?.record.receipt).toMatchObject({ topicSequenceNumber: { low: 1 } });
    expect(message?.record.receipt).toHaveProperty('topicRunningHash.length', 48);
  });

  test('blocks-0.78: balances of the state are what the transfers add up to, 646 of 646', async () => {
    const running = new Map<bigint, bigint>();
    let compared = 0;
    for (const real of nativeBlocks('blocks-0.78')) {
      const { transactions } = await rowsOf(real);
      const moves = transactions.flatMap(({ consensusTimestamp: at, transfers }) =>
        transfers.map(({ account, amount }) => ({ account, amount, at })),
      );
      let next = 0;
      for (const { at, bytes } of readTransactions(real.block.items, real.block.header.number === 0n)
        .stateChanges) {
        for (let move = moves[next]; move !== undefined && move.at <= (at ?? 0n); move = moves[++next]) {
          running.set(move.account, (running.get(move.account) ?? 0n) + move.amount);
        }
        const told = new Map<bigint, BalanceStatement>();
        addBalances(bytes, at ?? 0n, told, new Map());
        for (const { account, balance } of told.values()) {
          expect([account, running.get(account) ?? 0n]).toEqual([account, balance]);
          // Those of the first block are what the sum begins with.
          if (real.facts.block_number !== '0') compared++;
        }
      }
    }
    expect(compared).toBe(646);
    expect([...running.values()].reduce((sum, each) => sum + each, 0n)).toBe(5_000_000_000_000_000_000n);
  });
});

function countBy<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
