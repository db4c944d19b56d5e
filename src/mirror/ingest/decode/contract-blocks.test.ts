import { beforeAll, describe, expect, test } from 'vitest';
import { writtenStream } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { toHex } from '../../../values/hex.ts';
import { BLOOM_BYTES, bloomOf } from '../../evm/bloom.ts';
import type { LedgerUnit } from '../../ledger/rows.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import { createDirectorySource } from '../source/directory-source.ts';

let units: readonly LedgerUnit[];

beforeAll(async () => {
  const { tree } = await writtenStream({
    ...{ files: 25, transactionsPerFile: 80, nodes: 1, accounts: 40 },
    traces: true,
  });
  const ledger = memoryLedger();
  await ledger.import(createDirectorySource('/stream', tree));
  units = ledger.units;
});

describe('the blocks of a written ledger', () => {
  test('have every kind of contract transaction and log', () => {
    const types = units.flatMap(({ ethereumTransactions }) => ethereumTransactions.map(({ type }) => type));
    expect([...new Set(types)].sort()).toEqual([0, 1, 2, 4]);
    const results = units.flatMap(({ contractResults }) => contractResults);
    expect(results.some(({ hasRun }) => !hasRun)).toBe(true);
    expect(results.some(({ nonce }) => nonce > 0)).toBe(true);
    expect(results.some(({ errorMessage }) => errorMessage?.startsWith('0x08c379a0') === true)).toBe(true);
    const logs = units.flatMap(({ contractLogs }) => contractLogs);
    const lengths = (isSynthetic: boolean) => [
      ...new Set(logs.filter((log) => log.isSynthetic === isSynthetic).map(({ topics }) => topics.length)),
    ];
    expect(lengths(false).sort()).toEqual([2, 3, 4]);
    expect(lengths(true).sort()).toEqual([3, 4]);
  });

  test('have a filter that covers exactly their logs', () => {
    for (const { contractLogs, entities, gas } of units) {
      const expected = new Uint8Array(BLOOM_BYTES);
      for (const { contract, topics } of contractLogs) {
        expect(entities.every(({ entity, evmAddress }) => entity !== contract || evmAddress === null)).toBe(
          true,
        );
        const given = topics.map((topic) => topic ?? new Uint8Array());
        for (const [index, byte] of bloomOf(longZeroOf(contract), given).entries()) {
          expected[index] = (expected[index] ?? 0) | byte;
        }
      }
      expect(toHex(gas?.bloom ?? new Uint8Array(BLOOM_BYTES))).toBe(toHex(expected));
    }
  });

  test('have the gas of their calls, and results at their places', () => {
    for (const { contractResults, gas, transactions } of units) {
      const parents = new Map(transactions.map((each) => [each.consensusTimestamp, each]));
      const top = contractResults.filter(
        ({ consensusTimestamp: at }) => parents.get(at)?.parentConsensusTimestamp === null,
      );
      expect(gas?.used).toBe(top.reduce((sum, { gasUsed }) => sum + (gasUsed ?? 0n), 0n));
      for (const { consensusTimestamp: at, result, transactionIndex } of contractResults) {
        const place = transactions.findIndex(({ consensusTimestamp }) => consensusTimestamp === at);
        expect(transactionIndex).toBe(result === 312 ? null : place);
      }
    }
  });

  test('number the logs of a time from 0, those of contracts first', () => {
    for (const { contractLogs } of units) {
      const counts = new Map<bigint, number>();
      let last: { readonly at: bigint; readonly isSynthetic: boolean } = { at: -1n, isSynthetic: false };
      for (const { consensusTimestamp: at, index, isSynthetic } of contractLogs) {
        expect(at >= last.at).toBe(true);
        expect(index).toBe(counts.get(at) ?? 0);
        expect(at === last.at && last.isSynthetic && !isSynthetic).toBe(false);
        counts.set(at, index + 1);
        last = { at, isSynthetic };
      }
    }
  });

  test('have storage in which each run finds what the one before it left', () => {
    const values = new Map<string, string>();
    let written = 0;
    for (const { contract, slot, valueRead, valueWritten } of units.flatMap(
      (unit) => unit.contractStateChanges,
    )) {
      const key = `${contract}/${toHex(slot)}`;
      expect(toHex(valueRead)).toBe(values.get(key) ?? '0x');
      if (valueWritten === null) continue;
      values.set(key, toHex(valueWritten));
      written += 1;
    }
    expect(written).toBeGreaterThan(values.size);
  });

  test('have traces of what was run, from which gas consumed follows', () => {
    // The first one sets up contracts, of which nobody has a trace.
    const rows = units.slice(1).flatMap(({ contractActions, contractResults }) =>
      contractResults.map((result) => ({
        result,
        actions: contractActions.filter((each) => each.consensusTimestamp === result.consensusTimestamp),
      })),
    );
    expect(rows.some(({ actions }) => actions.some(({ resultDataType }) => resultDataType === 12))).toBe(
      true,
    );
    expect(rows.some(({ actions }) => actions.some(({ callType }) => callType === 4))).toBe(true);
    for (const { actions, result } of rows) {
      const isTraced = result.hasRun && result.nonce === 0;
      expect(actions.length > 0).toBe(isTraced);
      expect(actions.map(({ index }) => index)).toEqual(actions.map((_, place) => place));
      const [top] = actions;
      const sent = (result.functionParameters ?? new Uint8Array()).reduce(
        (sum, byte) => sum + (byte === 0 ? 4n : 16n),
        21_000n,
      );
      expect(result.gasConsumed).toBe(top === undefined ? null : top.gasUsed + sent);
    }
  });
});
