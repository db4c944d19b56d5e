import { afterEach, describe, expect, test } from 'vitest';
import { blockOf, listing, sharedBlock } from '../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { listed } from '../../../../test/kit/mirror/ingest/listed-units.ts';
import { memoryFileTree, writtenStream } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { streamPath } from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { writtenBlockSource } from '../../../../test/kit/mirror/ingest/written-blocks.ts';
import { aTransaction } from '../../../../test/kit/mirror/ledger-rows.ts';
import { testShared } from '../../../../test/support/shared-suites.ts';
import { ledgerDump } from '../../../../test/support/sqlite-file.ts';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { writeRecordFile } from '../../../../tools/network/record-file-writer.ts';
import { openDatabase } from '../../../storage/open-database.ts';
import { sqliteSql } from '../../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { LEDGER_FACETS } from '../../ledger/facets/ledger-facets.ts';
import { fixtureUnit } from '../../ledger/fixture-unit.ts';
import { createLedgerRepository } from '../../ledger/ledger-repository.sql.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { createStateRebuild } from '../../ledger/upkeep/state-rebuild.sqlite.ts';
import { createStoredUnits } from '../../ledger/upkeep/stored-units.sql.ts';
import { type MessageObject, messages } from '../../protobuf/messages.ts';
import { createLedgerLookup, createLookupBefore } from '../ledger-lookup.sql.ts';
import { createImporter, type ImporterOptions } from '../run/importer.ts';
import { ZERO_HASH } from '../sha384.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { systemFileTree } from '../source/file-tree.ts';
import { streamInstant } from '../units/stream-file-name.ts';
import { onePage, type StreamSource } from '../units/stream-source.ts';
import { compareLedger, type RebuildDependencies, rebuildLedger } from './rebuild-ledger.ts';

const open: SqliteDatabase[] = [];
/** What decoding asks the stored ledger: aliases. */
const LOOKED_UP: ReadonlySet<string> = new Set(['entity', 'token']);

afterEach(() => {
  for (const database of open.splice(0)) database.close();
});

function memoryDatabase(): SqliteDatabase {
  const database = openDatabase(':memory:');
  open.push(database);
  return database;
}

async function importInto(
  database: SqliteDatabase,
  source: StreamSource,
  options: ImporterOptions = {},
): Promise<void> {
  const report = await createImporter({
    repository: createLedgerRepository(sqliteSql(database)),
    lookup: createLedgerLookup(sqliteSql(database)),
    gaps: noGaps,
    source,
    options,
  }).run();
  expect(report.refused).toEqual([]);
}

function parts(database: SqliteDatabase) {
  const repository = createLedgerRepository(sqliteSql(database));
  return {
    units: createStoredUnits(sqliteSql(database), false),
    lookupBefore: createLookupBefore(sqliteSql(database)),
    fileContents: (num, at, before) => repository.fileContents(num, at, before),
    state: createStateRebuild(sqliteSql(database), memoryDatabase()),
  } satisfies RebuildDependencies;
}

function rebuild(database: SqliteDatabase, progress?: (name: string) => void) {
  return rebuildLedger({ ...parts(database), progress: ({ name }) => progress?.(name) });
}

async function differencesOf(database: SqliteDatabase): Promise<readonly string[]> {
  const { differences } = await compareLedger(parts(database));
  return [...new Set(differences.flatMap(({ tables }) => tables))].sort();
}

const writtenSource = async (files: number) => {
  const { tree } = await writtenStream({ files });
  return createDirectorySource('/stream', tree);
};

/** Record files of one transaction each, at a second, chained in this order. */
function chainedFiles(events: readonly (readonly [second: number, data: MessageObject])[]) {
  let hash: Uint8Array = ZERO_HASH;
  return new Map(
    events.map(([second, data], index) => {
      const consensus = consensusTimestamp((1_700_000_000n + BigInt(second)) * 1_000_000_000n);
      const event = { consensus, validStart: consensus, payer: 2n, data, status: 22, fee: 0n, node: null };
      const item = ledgerItem(event, { shard: 0n, realm: 0n });
      const file = writeRecordFile([item], hash, BigInt(index), [0, 65, 0]);
      hash = file.endHash;
      return [`/stream/${streamInstant(consensus)}.rcd`, file.bytes];
    }),
  );
}

describe('rebuildLedger', () => {
  test('leaves a ledger that is right as it is', async () => {
    const database = memoryDatabase();
    await importInto(database, await writtenSource(12));
    const before = ledgerDump(database);
    expect(await rebuild(database)).toMatchObject({ units: 12, left: 0, isStateRebuilt: true });
    expect(ledgerDump(database)).toBe(before);
  });

  test('leaves a ledger of native blocks as it is, also one that began in the middle and took balances of the state', async () => {
    for (const from of [0, 3]) {
      const database = memoryDatabase();
      await importInto(database, writtenBlockSource({ files: 7, nativeFrom: 0 }, from));
      const stated = database.prepare<[], number>('select count(*) from stated_balance').pluck().get() ?? 0;
      expect(stated > 0).toBe(from > 0);
      const before = ledgerDump(database);
      expect(await rebuild(database)).toMatchObject({ units: 7 - from, left: 0, isStateRebuilt: true });
      expect(ledgerDump(database)).toBe(before);
    }
  });

  test('has the address book of a ledger whose times step back between its two parts', async () => {
    const bookOf = (memo: string) =>
      messages.NodeAddressBook.encode({
        nodeAddress: [{ nodeId: 1n, nodeAccountId: { accountNum: 4n }, RSA_PubKey: 'aa', description: memo }],
      });
    const fileID = { fileNum: 102n };
    const book = bookOf('new');
    const files = chainedFiles([
      [10, { fileUpdate: { fileID, contents: bookOf('old') } }],
      [30, { fileUpdate: { fileID, contents: book.subarray(0, 8) } }],
      [20, { fileAppend: { fileID, contents: book.subarray(8) } }],
    ]);
    const database = memoryDatabase();
    await importInto(database, createDirectorySource('/stream', memoryFileTree(files)), { verify: 'chain' });
    const before = ledgerDump(database);
    const books = database.prepare('select description from address_book_entry order by start_ts').pluck();
    expect(books.all()).toEqual(['old', 'new']);
    database.exec('delete from address_book_entry; delete from address_book');
    expect(await rebuild(database)).toMatchObject({ left: 0 });
    expect(ledgerDump(database)).toBe(before);
  });

  describe.each([
    ['records', {}],
    ['records', { stepsBack: true, beginsAnywhereFrom: 1 }],
    ['native blocks', {}],
    ['native blocks', { stepsBack: true }],
  ])('of everything, from %s, %o', (form, times) => {
    const options = {
      ...times,
      mix: 'everything',
      files: 30,
      transactionsPerFile: 60,
      filePeriod: 7_200_000_000_000n,
      accounts: 30,
    } as const;

    test('makes every row once more', async () => {
      const database = memoryDatabase();
      const { tree } = await writtenStream({ ...options, nodes: 1 });
      const source = createDirectorySource('/stream', tree);
      await importInto(
        database,
        form === 'records' ? source : writtenBlockSource({ ...options, nativeFrom: 0 }),
      );
      const before = ledgerDump(database);
      expect(await compareLedger(parts(database))).toEqual({
        units: options.files,
        transactions: expect.any(Number),
        left: 0,
        isOfState: true,
        differences: [],
      });
      expect(ledgerDump(database)).toBe(before);
      // As a ledger of a former version, which has no rows of kinds that came later.
      const replaced = LEDGER_FACETS.flatMap((facet) => facet.rebuild?.replaced ?? []);
      for (const table of replaced) if (!LOOKED_UP.has(table)) database.exec(`delete from ${table}`);
      expect(await rebuild(database)).toMatchObject({ units: options.files, left: 0, isStateRebuilt: true });
      expect(ledgerDump(database)).toBe(before);
    });
  });

  test('puts right whatever was derived wrong', async () => {
    const database = memoryDatabase();
    await importInto(database, await writtenSource(24));
    const before = ledgerDump(database);
    for (const table of ['contract_result', 'contract_log', 'contract_log_topic', 'ethereum_transaction']) {
      const rows = database.prepare<[], number>(`select count(*) from ${table}`).pluck().get();
      expect([table, rows]).not.toEqual([table, 0]);
    }
    database.exec(`
      update tx set body = '{}', facet = 0, entity_id = null;
      delete from account_tx;
      delete from transfer; delete from tx_hash; update topic_message set message = x'00'; update schedule set payer = 1; delete from schedule_signature; delete from staking_reward; delete from balance_snapshot;
      update entity set balance = 1, evm_address = null; delete from entity_settings; delete from token; delete from custom_fee;
      delete from token_balance; delete from topic_state; update node set deleted = 1;
      update ledger_unit set gas_used = null; update ledger_state set balances_complete = 0;
      delete from network_stake; delete from node_stake;
      delete from contract_result; update contract_log set contract_id = 1, bloom = null; delete from contract_log_topic;
      delete from contract_result_hash; update ethereum_transaction set type = 9;`);
    expect(ledgerDump(database)).not.toBe(before);
    await rebuild(database);
    expect(ledgerDump(database)).toBe(before);
  });

  test('a comparison finds each row that is not what the bytes give', async () => {
    const database = memoryDatabase();
    await importInto(database, await writtenSource(24));
    const flips: readonly (readonly [string, ...tables: string[]])[] = [
      ["update tx set body = '{}' where consensus_ts = (select max(consensus_ts) from tx)", 'tx'],
      [
        'update tx set charged_fee = charged_fee + 1 where consensus_ts = (select min(consensus_ts) from tx)',
        'tx',
      ],
      [
        'update transfer set amount = amount + 1 where consensus_ts = (select min(consensus_ts) from transfer)',
        'transfer',
      ],
      ['delete from transfer where consensus_ts = (select max(consensus_ts) from transfer)', 'transfer'],
      ['insert into account_tx select 77, min(consensus_ts), 1, 14, 0 from tx', 'account_tx'],
      [
        'update tx_hash set prefix = prefix + 1 where consensus_ts = (select min(consensus_ts) from tx_hash)',
        'tx_hash',
      ],
      ['update contract_log set data = zeroblob(3)', 'contract_log'],
      [
        'delete from contract_log_topic where consensus_ts = (select min(consensus_ts) from contract_log_topic)',
        'contract_log_topic',
      ],
      [
        'update ledger_unit set gas_used = 1 where place = (select min(place) from ledger_unit)',
        'ledger_unit',
      ],
      [
        'update ledger_unit set transaction_count = transaction_count + 1 where place = (select max(place) from ledger_unit)',
        'ledger_unit',
      ],
      [
        'update entity set balance = balance + 1 where id = (select max(id) from entity where balance > 0)',
        'entity',
      ],
      ['delete from entity_settings where id = (select min(id) from entity_settings)', 'entity_settings'],
      ['update node set deleted = 1 - deleted', 'node'],
      ['delete from tx_source where consensus_ts = (select min(consensus_ts) from tx_source)', 'tx_source'],
      [
        "update tx_source set record_bytes = x'ff' where consensus_ts = (select max(consensus_ts) from tx_source)",
        'tx_source',
      ],
    ];
    for (const [flip, ...tables] of flips) {
      database.exec('savepoint flip');
      expect([flip, database.prepare(flip).run().changes > 0]).toEqual([flip, true]);
      expect([flip, await differencesOf(database)]).toEqual([flip, tables]);
      database.exec('rollback to flip; release flip');
    }
    expect(await differencesOf(database)).toEqual([]);
  });

  test.each(['rebuild', 'comparison'])(
    'units that are imported in the meantime are in the state as well: %s',
    async (work) => {
      const whole = memoryDatabase();
      const source = await writtenSource(6);
      await importInto(whole, source);
      const database = memoryDatabase();
      const first: StreamSource = {
        ...source,
        list: async (after) => {
          const { older } = await source.list(after);
          return { older, pages: onePage((await listed(source, after?.time)).slice(0, 3)) };
        },
      };
      await importInto(database, first);
      const rest = createImporter({
        repository: createLedgerRepository(sqliteSql(database)),
        lookup: createLedgerLookup(sqliteSql(database)),
        source,
      });
      let imported: Promise<unknown> | null = null;
      const begin = () => {
        imported ??= rest.run();
      };
      if (work === 'rebuild') await rebuild(database, begin);
      else {
        const compared = await compareLedger({ ...parts(database), progress: begin });
        expect(compared).toMatchObject({ left: 0, isOfState: true, differences: [] });
      }
      await imported;
      expect(ledgerDump(database)).toBe(ledgerDump(whole));
    },
  );

  test('a ledger that never rests is compared without its state', async () => {
    const database = memoryDatabase();
    await importInto(database, await writtenSource(2));
    const { state, ...others } = parts(database);
    const restless = { ...state, differences: async () => null };
    const compared = await compareLedger({ ...others, state: restless });
    expect(compared).toMatchObject({ units: 2, isOfState: false, differences: [] });
  });

  test('a comparison leaves out what retention is about to delete, and takes rows of either setting', async () => {
    const database = memoryDatabase();
    await importInto(database, await writtenSource(4));
    const others = { ...parts(database), units: createStoredUnits(sqliteSql(database), true) };
    expect(await compareLedger(others)).toMatchObject({ units: 4, isOfState: true, differences: [] });
    database.exec(`
      insert into ledger_retention (only_row, deleted_before) select 1, min(place) + 1 from ledger_unit;
      delete from tx where consensus_ts = (select min(consensus_ts) from tx);`);
    const compared = await compareLedger({ ...parts(database), state: null });
    expect(compared).toMatchObject({ units: 3, left: 0, differences: [] });
  });

  test('rows of fixtures have no bytes: they stay, and so does the state', async () => {
    const database = memoryDatabase();
    const repository = createLedgerRepository(sqliteSql(database));
    await repository.commitUnit(fixtureUnit('made', { transactions: [aTransaction(5n)] }));
    await importInto(database, await writtenSource(2));
    const before = ledgerDump(database);
    expect(await rebuild(database)).toMatchObject({ units: 2, left: 1, isStateRebuilt: false });
    expect(ledgerDump(database)).toBe(before);
  });

  testShared.each([
    ['blocks-wrapped-mainnet/genesis/0000000000000000000.blk.zstd', 'mainnet-v2/address_book.bin'],
    ['blocks-0.78/0.blk.gz', null],
  ])('makes the opening state of %s once more', async (file, book) => {
    const database = memoryDatabase();
    await importInto(database, listing([blockOf(sharedBlock(file), file)], book));
    const before = ledgerDump(database);
    const derived = ['entity_settings', 'entity_history', 'balance_snapshot', 'file_piece'];
    for (const table of derived) database.exec(`delete from ${table}`);
    database.exec('update entity set balance = null, type = null');
    expect(ledgerDump(database)).not.toBe(before);
    expect(await rebuild(database)).toMatchObject({ units: 1, left: 0, isStateRebuilt: true });
    expect(ledgerDump(database)).toBe(before);
  });

  testShared.each(['chain-v1', 'chain-v2v5', 'chain-v5v6', 'chain-v6-sidecar', 'mainnet-v6'])(
    'leaves %s as it is',
    async (set) => {
      const database = memoryDatabase();
      await importInto(database, createDirectorySource(streamPath(set), systemFileTree));
      const before = ledgerDump(database);
      expect(await rebuild(database)).toMatchObject({ left: 0, isStateRebuilt: true });
      expect(ledgerDump(database)).toBe(before);
    },
  );
});
