import { beforeAll, describe, expect, test } from 'vitest';
import { writtenStream } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { toHex } from '../../../values/hex.ts';
import { BLOOM_BYTES, bloomOf } from '../../evm/bloom.ts';
import type { LedgerUnit } from '../../ledger/rows.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import { createDirectorySource } from '../source/directory-source.ts';

const RUNS = new Set([7, 8, 50]);
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
    }
  });

  test('number what the EVM ran, and token events that stand alone, from 0 without a gap', () => {
    for (const { contractLogs, contractResults, transactions } of units) {
      const numbers = transactions
        .filter(({ nonce }) => nonce === 0)
        .flatMap(({ consensusTimestamp: at, type }) => {
          const result = contractResults.find((each) => each.consensusTimestamp === at);
          const logs = contractLogs.filter((each) => each.consensusTimestamp === at);
          const index = result?.transactionIndex ?? logs[0]?.transactionIndex ?? null;
          if (RUNS.has(type)) expect(index !== null).toBe((result?.gasUsed ?? 0n) > 0n);
          else expect(index !== null).toBe(logs.length > 0);
          expect(new Set(logs.map(({ transactionIndex }) => transactionIndex)).size).toBeLessThan(2);
          return index ?? [];
        });
      expect(numbers).toEqual(numbers.map((_, place) => place));
    }
  });

  test('number all their logs from 0, at each time those of contracts first', () => {
    for (const { contractLogs } of units) {
      const indexes = contractLogs.map(({ index }) => index);
      expect([...indexes].sort((one, other) => one - other)).toEqual(indexes.map((_, place) => place));
      for (const [place, { consensusTimestamp: at, index, isSynthetic }] of contractLogs.entries()) {
        const before = contractLogs[place - 1];
        if (before === undefined || before.consensusTimestamp < at) continue;
        expect(before.consensusTimestamp).toBe(at);
        expect(before.index).toBeLessThan(index);
        expect(before.isSynthetic && !isSynthetic).toBe(false);
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
