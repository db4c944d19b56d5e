import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../storage/open-database.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { aStakeUpdate, aTransaction, aTransfer } from '../testing/ledger-rows.ts';
import { type FixtureRows, fixtureUnit } from './fixture-unit.ts';
import { createSqliteLedgerRepository } from './ledger-repository.sqlite.ts';
import type { LedgerRepository } from './ledger-repository.ts';
import type { AddressBook, LedgerUnit } from './rows.ts';
import { readLedgerContinuity } from './upkeep/ledger-continuity.sqlite.ts';

const MINUTE = 60_000_000_000n;
/** 2023-11-14 22:13:20 UTC, 1 min 40 s before a quarter of an hour ends. */
const START = 1_700_000_000_000_000_000n;

describe('createSqliteLedgerRepository', () => {
  let database: SqliteDatabase;
  let ledger: LedgerRepository;

  beforeEach(() => {
    database = openDatabase(':memory:');
    ledger = createSqliteLedgerRepository(database);
  });
  afterEach(() => {
    database.close();
  });

  const commit = (name: string, rows: FixtureRows) => ledger.commitUnit(fixtureUnit(name, rows));
  const count = (table: string) => database.prepare(`select count(*) from ${table}`).pluck().get();
  const balance = (num: bigint) =>
    database.prepare('select balance from entity where id = ?').pluck().get(num) as number | null | undefined;
  const snapshots = () =>
    database
      .prepare<[], [account: bigint, time: bigint, balance: bigint]>(
        'select account_id, consensus_ts, balance from balance_snapshot order by consensus_ts, account_id',
      )
      .raw()
      .safeIntegers(true)
      .all();

  test('the newest unit comes back as it was stored', async () => {
    expect(await ledger.lastUnit()).toBeNull();
    const unit = fixtureUnit('a', { transactions: [aTransaction(START)] });
    expect(await ledger.commitUnit(unit)).toBe('stored');
    const stored = await ledger.lastUnit();
    expect({ ...stored, hash: null, previousHash: null, fileHash: null }).toEqual({
      ...unit.header,
      hash: null,
      previousHash: null,
      fileHash: null,
    });
    expect(Buffer.from(stored?.hash ?? [])).toEqual(Buffer.from(unit.header.hash));
  });

  test('the chain continues after a fixture from the file before it', async () => {
    expect(await ledger.chainHash()).toBeNull();
    const unit = (name: string, time: bigint) => fixtureUnit(name, { transactions: [aTransaction(time)] });
    const record = (name: string, time: bigint, previousHash: Uint8Array): LedgerUnit => ({
      ...unit(name, time),
      header: { ...unit(name, time).header, kind: 'record', previousHash },
    });
    const first = record('first', START, new Uint8Array(48));
    await ledger.commitUnit(first);
    await ledger.commitUnit(unit('between', START + 1n));
    expect(await ledger.chainHash()).toEqual(Buffer.from(first.header.hash));
    await ledger.commitUnit(record('follows', START + 2n, first.header.hash));
    expect(readLedgerContinuity(database)).toEqual({
      units: 3,
      firstConsensus: START,
      lastConsensus: START + 2n,
      breaks: [],
    });
    await ledger.commitUnit(record('stranger', START + 3n, new Uint8Array(48).fill(7)));
    expect(readLedgerContinuity(database).breaks).toEqual(['stranger']);
  });

  test('the same unit again changes nothing', async () => {
    const rows = {
      transactions: [aTransaction(START, { transfers: [aTransfer(3n, 5n), aTransfer(4n, -5n)] })],
    };
    await commit('a', rows);
    const before = database.serialize();
    expect(await commit('a', rows)).toBe('already-stored');
    expect(database.serialize().equals(before)).toBe(true);
  });

  test('a transaction that two units share is stored once and moves balances once', async () => {
    const shared = aTransaction(START, { hash: Buffer.alloc(48, 1), transfers: [aTransfer(3n, 5n)] });
    await commit('a', { transactions: [shared] });
    expect(await commit('b', { transactions: [shared, aTransaction(START + 1n)] })).toBe('stored');
    expect(count('tx')).toBe(2);
    expect(balance(3n)).toBe(5);
  });

  test('another hash at a stored consensus time is refused and nothing of the unit is stored', async () => {
    await commit('a', { transactions: [aTransaction(START, { hash: Buffer.alloc(48, 1) })] });
    const conflict = commit('b', {
      transactions: [
        aTransaction(START - 1n),
        aTransaction(START, { hash: Buffer.alloc(48, 2) }),
        aTransaction(START + 1n),
      ],
    });
    await expect(conflict).rejects.toMatchObject({
      code: 'duplicate_conflict',
      details: { consensusTimestamp: '1700000000.000000000' },
    });
    expect([count('tx'), count('ledger_unit')]).toEqual([1, 1]);
  });

  test('account rows carry one bit per reason and the facet of the account', async () => {
    await commit('a', {
      transactions: [
        aTransaction(START, {
          result: 10,
          nftTransfers: [
            { token: entityId(9n), sender: entityId(3n), receiver: null, serial: 1n, isApproval: false },
          ],
          transfers: [aTransfer(3n, 5n), aTransfer(4n, 0n), aTransfer(5n, -5n)],
        }),
        aTransaction(START + 1n, { nonce: 1, transfers: [aTransfer(3n, -1n)] }),
      ],
    });
    expect(
      database
        .prepare('select account_id, flags, facet from account_tx order by consensus_ts, account_id')
        .raw()
        .all(),
    ).toEqual([
      [3, 2 | 16, 1],
      [4, 8, 0],
      [5, 4, 2],
      [1001, 1, 0],
      [3, 4, 4 | 2],
    ]);
  });

  describe('balances', () => {
    const record = (name: string, rows: FixtureRows, blockNumber: bigint): LedgerUnit => {
      const unit = fixtureUnit(name, rows);
      return { ...unit, header: { ...unit.header, kind: 'record', blockNumber } };
    };

    test('a stream that begins after genesis knows only accounts that it created or that were stated', async () => {
      await ledger.commitUnit(
        record(
          'a',
          {
            balances: [{ account: entityId(2n), balance: 100n, timestamp: consensusTimestamp(START - 1n) }],
            transactions: [
              aTransaction(START, {
                type: 11,
                entityId: entityId(2000n),
                transfers: [aTransfer(2n, -7n), aTransfer(3n, -3n), aTransfer(2000n, 10n)],
              }),
            ],
          },
          77n,
        ),
      );
      expect([balance(2n), balance(3n), balance(2000n)]).toEqual([93, undefined, 10]);
    });

    test('a stream from genesis begins every account at zero', async () => {
      await ledger.commitUnit(
        record('a', { transactions: [aTransaction(START, { transfers: [aTransfer(3n, -3n)] })] }, 0n),
      );
      expect(balance(3n)).toBe(-3);
    });

    test('an entry that never happened is stored with its transaction but moves no balance', async () => {
      await commit('a', {
        transactions: [
          aTransaction(START, {
            transfers: [
              aTransfer(3n, -2n),
              { ...aTransfer(3n, -5n), neverHappened: true },
              aTransfer(9n, 2n),
            ],
          }),
        ],
      });
      expect(balance(3n)).toBe(-2);
      expect(count('transfer')).toBe(3);
    });

    test('a snapshot is taken when a quarter of an hour ends, of changed accounts only', async () => {
      const move = (at: bigint, from: bigint, to: bigint) =>
        aTransaction(at, { transfers: [aTransfer(from, -1n), aTransfer(to, 1n)] });
      await commit('a', { transactions: [move(START, 3n, 4n)] });
      await commit('b', { transactions: [move(START + MINUTE, 4n, 5n)] });
      await commit('c', { transactions: [move(START + 10n * MINUTE, 3n, 5n)] });
      expect(snapshots()).toEqual([
        [3n, START, -1n],
        [4n, START, 1n],
        [4n, START + MINUTE, 0n],
        [5n, START + MINUTE, 1n],
      ]);
    });

    test('the first snapshot of a month holds every account', async () => {
      const month = 31n * 24n * 60n * MINUTE;
      await commit('a', { transactions: [aTransaction(START, { transfers: [aTransfer(3n, 1n)] })] });
      await commit('b', { transactions: [aTransaction(START + month, { transfers: [aTransfer(4n, 1n)] })] });
      await commit('c', { transactions: [aTransaction(START + month + 16n * MINUTE)] });
      expect(snapshots().filter(([, time]) => time === START + month)).toEqual([
        [3n, START + month, 1n],
        [4n, START + month, 1n],
      ]);
    });

    test('the time of a balance is that of the last transaction that moved it, not the end of its unit', async () => {
      await commit('a', {
        transactions: [
          aTransaction(START, { transfers: [aTransfer(3n, -1n), aTransfer(4n, 1n)] }),
          aTransaction(START + 1n, { transfers: [aTransfer(3n, -1n), aTransfer(5n, 1n)] }),
          aTransaction(START + 2n),
        ],
      });
      const times = database
        .prepare('select id, balance_ts from entity order by id')
        .raw()
        .safeIntegers(true);
      expect(times.all()).toEqual([
        [3n, START + 1n],
        [4n, START],
        [5n, START + 1n],
      ]);
    });

    test('how transactions are split into units does not matter', async () => {
      const transactions = Array.from({ length: 40 }, (_, index) =>
        aTransaction(START + BigInt(index) * 2n * MINUTE, {
          transfers: [aTransfer(BigInt(3 + (index % 3)), 1n), aTransfer(9n, -1n)],
        }),
      );
      await commit('first', { transactions: transactions.slice(0, 1) });
      await commit('rest', { transactions: transactions.slice(1) });
      const other = openDatabase(':memory:');
      try {
        const one = createSqliteLedgerRepository(other);
        for (const [index, transaction] of transactions.entries()) {
          await one.commitUnit(fixtureUnit(`unit ${index}`, { transactions: [transaction] }));
        }
        const dump = (of: SqliteDatabase, table: string) => of.prepare(`select * from ${table}`).raw().all();
        expect(dump(other, 'entity')).toEqual(dump(database, 'entity'));
        expect(dump(other, 'balance_snapshot')).toEqual(dump(database, 'balance_snapshot'));
        expect(dump(other, 'tx')).toEqual(dump(database, 'tx'));
      } finally {
        other.close();
      }
    });

    test('a balance beyond int64 becomes unknown instead of wrong', async () => {
      const huge = 9_223_372_036_854_775_807n;
      await commit('a', {
        transactions: [aTransaction(START, { transfers: [aTransfer(3n, huge), aTransfer(3n, huge)] })],
      });
      expect(balance(3n)).toBeNull();
    });
  });

  describe('address books and stakes', () => {
    const book = (startTimestamp: bigint, publicKey: string): AddressBook => ({
      startTimestamp: consensusTimestamp(startTimestamp),
      file: entityId(102n),
      entries: [
        {
          nodeId: 0n,
          nodeAccount: entityId(3n),
          description: null,
          memo: null,
          publicKey,
          nodeCertHash: null,
          serviceEndpoints: [],
        },
      ],
    });

    test('the signers at a time come from the book and the stake update of that time', async () => {
      await commit('a', {
        transactions: [aTransaction(START)],
        addressBooks: [book(1n, 'aa'), book(START + 1n, 'bb')],
        stakeUpdates: [aStakeUpdate(START)],
      });
      expect(await ledger.nodeKeysAt(consensusTimestamp(0n))).toBeNull();
      expect((await ledger.nodeKeysAt(consensusTimestamp(START - 1n)))?.nodes).toMatchObject([
        { publicKey: 'aa', stake: 0n },
      ]);
      expect((await ledger.nodeKeysAt(consensusTimestamp(START + 1n)))?.nodes).toMatchObject([
        { publicKey: 'bb', stake: 13n },
      ]);
    });

    test('a node change leaves what it does not name', async () => {
      const at = consensusTimestamp(START);
      await commit('a', {
        transactions: [aTransaction(START)],
        nodeChanges: [
          { nodeId: 4n, consensusTimestamp: at, account: entityId(7n), associatedRegisteredNodes: [1n, 2n] },
          { nodeId: 4n, consensusTimestamp: at, declineReward: true },
          { nodeId: 4n, consensusTimestamp: at, account: null },
        ],
      });
      expect(
        database
          .prepare('select account_id, decline_reward, associated_registered_nodes, deleted from node')
          .raw()
          .all(),
      ).toEqual([[null, 1, '[1,2]', 0]]);
    });
  });

  test('file contents are the newest version at a time with its appends', async () => {
    const piece = (at: bigint, transactionType: 16 | 17 | 19, text: string) => ({
      file: entityId(112n),
      consensusTimestamp: consensusTimestamp(at),
      transactionType,
      contents: Buffer.from(text),
    });
    await commit('a', {
      transactions: [aTransaction(START)],
      filePieces: [piece(10n, 17, 'a'), piece(11n, 16, 'b'), piece(20n, 19, 'c'), piece(21n, 16, 'd')],
    });
    const contents = async (at: bigint) => {
      const bytes = await ledger.fileContents(112n, consensusTimestamp(at));
      return bytes === null ? null : Buffer.from(bytes).toString();
    };
    expect([await contents(9n), await contents(10n), await contents(19n), await contents(21n)]).toEqual([
      null,
      'a',
      'ab',
      'cd',
    ]);
  });
});
