import { afterEach, describe, expect, test } from 'vitest';
import { createLedgerLookup } from '../../src/mirror/ingest/ledger-lookup.sql.ts';
import { createImporter } from '../../src/mirror/ingest/run/importer.ts';
import { createDirectorySource } from '../../src/mirror/ingest/source/directory-source.ts';
import type { StreamSource } from '../../src/mirror/ingest/units/stream-source.ts';
import { createLedgerRepository } from '../../src/mirror/ledger/ledger-repository.sql.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { sqliteSql } from '../../src/storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite.ts';
import { writtenStream } from '../../test/kit/mirror/ingest/memory-file-tree.ts';
import { someContracts } from '../../test/kit/mirror/ingest/some-contracts.ts';
import { writtenBlockSource } from '../../test/kit/mirror/ingest/written-blocks.ts';
import type { BlockOptions } from './write-blocks.ts';

const open: SqliteDatabase[] = [];

afterEach(() => {
  for (const database of open.splice(0)) database.close();
});

const options = { files: 9, transactionsPerFile: 60, keyBits: 1024, contracts: someContracts() };
const [WRAPPED_FROM, NATIVE_FROM] = [3, 6];
/** What the transactions of a ledger tell, in whatever form they came. */
const TOLD_BY_TRANSACTIONS = [
  'tx',
  'tx_hash',
  'transfer',
  'account_tx',
  'staking_reward',
  'entity',
  'entity_settings',
  'token_balance',
  'token',
  'custom_fee',
  'topic_state',
  'ledger_contract',
  'ledger_code',
  'file_piece',
  'address_book',
  'network_stake',
  'node_stake',
];

async function imported(...sources: readonly StreamSource[]): Promise<SqliteDatabase> {
  const database = openDatabase(':memory:');
  open.push(database);
  for (const source of sources) {
    const report = await createImporter({
      repository: createLedgerRepository(sqliteSql(database)),
      lookup: createLedgerLookup(sqliteSql(database)),
      source,
    }).run();
    expect(report).toMatchObject({ refused: [] });
  }
  return database;
}

const records = async (files = options.files) =>
  createDirectorySource('/stream', (await writtenStream({ ...options, files })).tree);

/** Tables that tell of the bytes that were imported, or that only records tell. */
const OF_THE_FORM: ReadonlySet<string> = new Set([
  'tx_source',
  'ledger_unit',
  'ledger_edition',
  'block_tree',
  'rate_observation',
  'sidecar',
]);

/** All other tables of the ledger. */
function toldByTransactions(database: SqliteDatabase): Readonly<Record<string, string>> {
  const names = database
    .prepare<[], string>("select name from sqlite_schema where type = 'table' and sql not like '%virtual%'")
    .pluck()
    .all();
  return tables(
    database,
    names.filter((name) => !OF_THE_FORM.has(name)),
  );
}

/** Each table as text. */
function tables(database: SqliteDatabase, names: readonly string[]): Readonly<Record<string, string>> {
  const textOf = (name: string): string =>
    database
      .prepare<[], unknown[]>(`select * from ${name}`)
      .safeIntegers(true)
      .raw()
      .all()
      .map((row) =>
        row.map((value) => (Buffer.isBuffer(value) ? value.toString('hex') : String(value))).join('|'),
      )
      .sort()
      .join('\n');
  return Object.fromEntries(names.map((name) => [name, textOf(name)]));
}

describe('a written ledger', () => {
  test('has the same snapshots of balances from record files, from wrapped and from native blocks', async () => {
    const names = ['balance_snapshot_time', 'balance_snapshot', 'token_balance_snapshot'];
    // The first is due two minutes after the first of these files of two seconds.
    const long = { ...options, files: 64, transactionsPerFile: 8 };
    const fromRecords = createDirectorySource('/stream', (await writtenStream(long)).tree);
    const expected = tables(await imported(fromRecords), names);
    for (const name of names) expect([name, expected[name] === '']).toEqual([name, false]);
    for (const blocks of [long, { ...long, nativeFrom: 0 }]) {
      expect(tables(await imported(writtenBlockSource(blocks)), names)).toEqual(expected);
    }
  });

  test('is the same from record files, from wrapped and from native blocks, and over two cutovers', async () => {
    const expected = tables(await imported(await records()), TOLD_BY_TRANSACTIONS);
    const ways = {
      wrapped: await imported(writtenBlockSource(options)),
      native: await imported(writtenBlockSource({ ...options, nativeFrom: 0 })),
      all: await imported(
        await records(WRAPPED_FROM),
        writtenBlockSource({ ...options, nativeFrom: NATIVE_FROM }, WRAPPED_FROM),
      ),
    };
    for (const name of TOLD_BY_TRANSACTIONS) expect([name, expected[name] === '']).toEqual([name, false]);
    for (const database of Object.values(ways)) {
      expect(tables(database, TOLD_BY_TRANSACTIONS)).toEqual(expected);
    }
    const kinds = ways.all
      .prepare<[], string>(
        "select kind || is_native || ' ' || block_number || ' ' || verification from ledger_unit order by place",
      )
      .pluck()
      .all();
    expect(kinds).toEqual([
      ...[0, 1, 2].map((number) => `record0 ${number} signatures`),
      ...[3, 4, 5].map((number) => `block0 ${number} signatures`),
      ...[6, 7, 8].map((number) => `block1 ${number} chain`),
    ]);
  });

  test('of everything is the same from record files, from wrapped and from native blocks', async () => {
    const everything: BlockOptions = {
      mix: 'everything',
      files: 14,
      transactionsPerFile: 120,
      filePeriod: 14_400_000_000_000n,
      accounts: 30,
      keyBits: 1024,
    };
    const source = createDirectorySource('/stream', (await writtenStream(everything)).tree);
    const expected = toldByTransactions(await imported(source));
    for (const name of ['contract_state', 'contract_state_change', 'contract_action']) {
      expect([name, expected[name] === '']).toEqual([name, false]);
    }
    expect(toldByTransactions(await imported(writtenBlockSource(everything)))).toEqual(expected);
    const native = await imported(writtenBlockSource({ ...everything, nativeFrom: 0 }));
    expect(toldByTransactions(native)).toEqual(expected);
  });

  test('has rates in the receipts of records alone, and no statement where transfers tell the balances', async () => {
    const database = await imported(await records(2), writtenBlockSource({ ...options, nativeFrom: 2 }, 2));
    const rates = database
      .prepare<[], [number, number]>(
        `select sum(consensus_ts < begin), sum(consensus_ts >= begin) from rate_observation,
          (select min(consensus_start) as begin from ledger_unit where is_native)`,
      )
      .raw()
      .get();
    expect(rates?.[0]).toBeGreaterThan(0);
    expect(rates?.[1]).toBe(0);
    expect(tables(database, ['stated_balance'])).toEqual({ stated_balance: '' });
  });
});
