import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import fc from '../../../../test/support/properties.ts';
import { openDatabase } from '../../../storage/open-database.ts';
import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { createDirectorySource } from '../../ingest/source/directory-source.ts';
import { writtenStream } from '../../ingest/testing/memory-file-tree.ts';
import { memoryLedger } from '../../ingest/testing/memory-ledger.ts';
import { appendTable, type ColumnValue, stateTable } from '../fold/tables.ts';
import type { LedgerUnit } from '../rows.ts';
import { type MemoryBackend, memoryBackend, tablesText } from '../testing/memory-backend.ts';
import { naiveBalances } from '../testing/naive-balances.ts';
import { randomUnits } from '../testing/random-units.ts';
import { createSqliteLedgerBackend } from './ledger-backend.sqlite.ts';
import { commitUnits } from './ledger-backend.ts';

const NOT_SHOWN = false;

function committed(...commits: readonly (readonly LedgerUnit[])[]): MemoryBackend {
  const backend = memoryBackend();
  for (const units of commits) commitUnits(backend, units, NOT_SHOWN);
  return backend;
}

const sum = (values: readonly unknown[]) =>
  values.reduce<bigint>((total, value) => total + (value as bigint), 0n);

describe('the ledger that units make', () => {
  test('is the same however they are split into commits', () => {
    fc.assert(
      fc.property(randomUnits(), fc.nat(), fc.nat(), (units, one, other) => {
        const [first, second] = [one % units.length, other % units.length].sort((a, b) => a - b);
        const together = committed(units).dump();
        expect(committed(units.slice(0, first), units.slice(first, second), units.slice(second)).dump()).toBe(
          together,
        );
        expect(committed(...units.map((unit) => [unit])).dump()).toBe(together);
      }),
    );
  });

  test('stays as it is when units come again', () => {
    fc.assert(
      fc.property(randomUnits(), (units) => {
        const backend = committed(units);
        const before = backend.dump();
        expect(commitUnits(backend, units, NOT_SHOWN)).toEqual(units.map(() => 'already-stored'));
        expect(backend.dump()).toBe(before);
      }),
    );
  });

  test('has as much hbar as before, and of each token what transfers made and destroyed', () => {
    fc.assert(
      fc.property(randomUnits({ isWhole: true }), (units) => {
        const backend = committed(units);
        expect(sum(backend.rows('entity').map((row) => row['balance'] ?? 0n))).toBe(0n);
        const moved = units
          .flatMap(({ transactions }) => transactions)
          .flatMap(({ tokenTransfers }) => tokenTransfers);
        for (const token of [90n, 91n]) {
          const held = backend.rows('token_balance').filter((row) => row['token_id'] === token);
          expect(sum(held.map((row) => row['balance']))).toBe(
            sum(moved.filter((each) => each.token === token).map(({ amount }) => amount)),
          );
        }
      }),
    );
  });

  test('has the balances and snapshots that transfer after transfer makes', () => {
    fc.assert(
      fc.property(randomUnits({ isWhole: true }), (units) => {
        const naive = naiveBalances(units);
        const backend = committed(units);
        const known = backend.rows('entity').filter((row) => typeof row['balance'] === 'bigint');
        expect(new Map(known.map((row) => [`${row['id']}`, rowBalance(row)]))).toEqual(naive.hbar);
        const tokens = backend.rows('token_balance');
        expect(
          new Map(tokens.map((row) => [`${row['account_id']}/${row['token_id']}`, rowBalance(row)])),
        ).toEqual(naive.tokens);
        const copies = [
          ...backend
            .rows('balance_snapshot')
            .map((row) => [`${row['account_id']}@${row['consensus_ts']}`, row['balance']] as const),
          ...backend
            .rows('token_balance_snapshot')
            .map(
              (row) =>
                [`${row['account_id']}/${row['token_id']}@${row['consensus_ts']}`, row['balance']] as const,
            ),
        ];
        expect(new Map(copies)).toEqual(naive.snapshots);
      }),
    );
  });
});

function rowBalance(row: Readonly<Record<string, unknown>>): {
  readonly balance: unknown;
  readonly at: unknown;
} {
  return { balance: row['balance'], at: row['balance_ts'] };
}

describe('createSqliteLedgerBackend', () => {
  let database: SqliteDatabase;
  beforeEach(() => {
    database = openDatabase(':memory:');
  });
  afterEach(() => {
    database.close();
  });

  const storedText = (names: readonly string[]): string =>
    tablesText(
      names.map((name) => [
        name,
        database.prepare<[], Record<string, ColumnValue>>(`select * from ${name}`).safeIntegers(true).all(),
      ]),
    );

  test('stores what a ledger in memory stores', () => {
    fc.assert(
      fc.property(randomUnits(), (units) => {
        database.close();
        database = openDatabase(':memory:');
        const middle = Math.floor(units.length / 2);
        const commits = [units.slice(0, middle), units.slice(middle)];
        for (const commit of commits) commitUnits(createSqliteLedgerBackend(database), commit, NOT_SHOWN);
        const memory = committed(...commits);
        expect(storedText(memory.tables())).toBe(memory.dump());
      }),
      { numRuns: 30 },
    );
  });

  test('keeps every digit of 64-bit integers, in keys too', () => {
    const backend = createSqliteLedgerBackend(database);
    const most = 2n ** 63n - 1n;
    const table = stateTable<{ account: bigint; token: bigint; balance: bigint; at: bigint }>(
      'token_balance',
      { account: 'account_id', token: 'token_id' },
      { balance: 'balance', at: 'balance_ts' },
    );
    const row = [most, -most - 1n, most - 1n, most - 2n];
    backend.store(table, [row, [1n, 2n, 3n, 4n]]);
    expect(backend.load({ table, keys: [[most, -most - 1n]], match: 'equal' })).toEqual([row]);
  });

  test.each([1, 7, 8, 63, 64, 65, 200])('stores each of %i rows', (count) => {
    const backend = createSqliteLedgerBackend(database);
    const table = appendTable('file_piece', 2, ['file_id', 'consensus_ts', 'tx_type', 'contents']);
    backend.store(
      table,
      Array.from({ length: count }, (_, index) => [BigInt(index), 1n, 17, Buffer.alloc(1)]),
    );
    expect(database.prepare('select count(*) from file_piece').pluck().get()).toBe(count);
  });
});

describe('commitUnits', () => {
  /** With the write transaction around it a commit makes two calls more. */
  const MAX_CALLS = 40;
  const TRANSACTION_CALLS = 2;

  test('stores a record file of 250 mixed transactions with few calls of the database', async () => {
    // A quarter of an hour ends among them, so that one takes snapshots.
    const start = consensusTimestamp(1_700_000_090_000_000_000n);
    const { tree } = await writtenStream({ files: 12, transactionsPerFile: 250, accounts: 300, start });
    const read = memoryLedger();
    await read.import(createDirectorySource('/stream', tree));
    expect(read.units).toHaveLength(12);
    const backend = memoryBackend();
    const calls = read.units.map((unit) => {
      const before = backend.calls;
      commitUnits(backend, [unit], NOT_SHOWN);
      return backend.calls - before + TRANSACTION_CALLS;
    });
    expect(backend.rows('balance_snapshot').length).toBeGreaterThan(0);
    expect(Math.max(...calls)).toBeLessThanOrEqual(MAX_CALLS);
    const shared = memoryBackend();
    commitUnits(shared, read.units, NOT_SHOWN);
    expect(shared.calls).toBeLessThan(2 * MAX_CALLS);
  });
});
