import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordUnit } from '../../../../test/contracts/ledger-units.ts';
import { aTransaction, aTransfer } from '../../../../test/kit/mirror/ledger-rows.ts';
import { recordedStatements } from '../../../../test/kit/storage/query-plans.ts';
import { openDatabase } from '../../../storage/open-database.ts';
import { sqliteSql } from '../../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import { entityId } from '../../../values/entity-id.ts';
import { fixtureUnit } from '../fixture-unit.ts';
import { createLedgerRepository } from '../ledger-repository.sql.ts';
import { createRetention } from './retention.sql.ts';

const HOUR = 3_600_000_000_000n;
const START = 1_700_000_000_000_000_000n;
const TRANSACTION_TABLES = [
  'tx',
  'tx_source',
  'tx_hash',
  'account_tx',
  'transfer',
  'topic_message',
  'nft_event',
  'schedule_signature',
];

let database: SqliteDatabase;

beforeEach(() => {
  database = openDatabase(':memory:');
});

afterEach(() => {
  database.close();
});

/** One unit per hour, each with some transactions. */
async function ledgerOf(hours: number, perUnit: number): Promise<void> {
  const repository = createLedgerRepository(sqliteSql(database));
  for (let hour = 0; hour < hours; hour++) {
    const transactions = Array.from({ length: perUnit }, (_, index) =>
      aTransaction(START + BigInt(hour) * HOUR + BigInt(index), {
        hash: Buffer.alloc(48, hour + 1),
        transactionBytes: Buffer.of(1),
        recordBytes: Buffer.of(2),
        transfers: [aTransfer(1001n, -5n), aTransfer(3n, 5n)],
      }),
    );
    const scheduleSignatures = transactions.map(({ consensusTimestamp }) => ({
      consensusTimestamp,
      schedule: entityId(70n),
      prefix: Buffer.of(1),
      signature: Buffer.of(2),
      type: 3,
    }));
    const topicMessages = transactions.map(({ consensusTimestamp, payer }) => ({
      consensusTimestamp,
      topic: entityId(97n),
      sequenceNumber: consensusTimestamp - START,
      payer,
      chunk: null,
      runningHash: Buffer.alloc(48),
      runningHashVersion: 3n,
      message: Buffer.of(1),
    }));
    const nfts = transactions.map(({ consensusTimestamp }) => ({
      kind: 'change' as const,
      token: entityId(95n),
      serial: 1n,
      consensusTimestamp,
    }));
    await repository.commitUnit(
      fixtureUnit(`unit ${hour}`, { transactions, topicMessages, scheduleSignatures, nfts }),
    );
  }
}

const count = (table: string) => database.prepare<[], number>(`select count(*) from ${table}`).pluck().get();
const balance = () => database.prepare<[], number>('select balance from entity where id = 3').pluck().get();

describe('retention', () => {
  test('deletes whole units that ended before the days to keep, and all that belongs to their transactions', async () => {
    await ledgerOf(50, 3);
    const progress: number[] = [];
    const before = balance();
    expect(
      await createRetention(sqliteSql(database)).prune(1, {
        progress: ({ transactions }) => progress.push(transactions),
      }),
    ).toEqual({ transactions: 75, units: 25 });
    expect(progress).toEqual([75]);
    expect(count('ledger_unit')).toBe(25);
    expect(Object.fromEntries(TRANSACTION_TABLES.map((table) => [table, count(table)]))).toEqual({
      tx: 75,
      tx_source: 75,
      tx_hash: 75,
      account_tx: 150,
      transfer: 150,
      topic_message: 75,
      nft_event: 75,
      schedule_signature: 75,
    });
    expect(balance()).toBe(before);
    expect(await createRetention(sqliteSql(database)).hasPruned()).toBe(true);
    expect(await createRetention(sqliteSql(database)).prune(1)).toEqual({ transactions: 0, units: 0 });
  });

  test('a batch finds its rows by their times, however much is kept', async () => {
    let pruned: Promise<unknown> = Promise.resolve();
    const plans = recordedStatements(database, (spied) => {
      pruned = createRetention(sqliteSql(spied)).prune(1);
    });
    await pruned;
    expect(plans.length).toBeGreaterThan(20);
    for (const { sql, steps } of plans) {
      for (const step of steps)
        expect(step, sql).not.toMatch(/^SCAN (?!json_each|CONSTANT ROW|b$)|tx_by_type/);
    }
  });

  test('a large unit goes in several batches, and an interrupted run is gone on with', async () => {
    await ledgerOf(1, 1200);
    const repository = createLedgerRepository(sqliteSql(database));
    const late = aTransaction(START + 100n * HOUR);
    await repository.commitUnit(fixtureUnit('late', { transactions: [late] }));
    const stop = new AbortController();
    const first = await createRetention(sqliteSql(database)).prune(1, {
      signal: stop.signal,
      progress: () => stop.abort(),
    });
    expect(first).toEqual({ transactions: 500, units: 0 });
    expect(count('ledger_unit')).toBe(2);
    expect(await createRetention(sqliteSql(database)).prune(1)).toEqual({ transactions: 700, units: 1 });
    expect([count('tx'), count('account_tx')]).toEqual([1, 1]);
  });

  test('the newest unit stays, and a young or empty ledger is left alone', async () => {
    expect(await createRetention(sqliteSql(database)).prune(1)).toEqual({ transactions: 0, units: 0 });
    await ledgerOf(20, 1);
    expect(await createRetention(sqliteSql(database)).prune(1)).toEqual({ transactions: 0, units: 0 });
    expect(await createRetention(sqliteSql(database)).hasPruned()).toBe(false);
  });

  test('keeps the transactions of later blocks, whatever their times', async () => {
    const repository = createLedgerRepository(sqliteSql(database));
    let previousHash: Uint8Array = Buffer.alloc(48);
    const blocks = [[0n, 1n, 4n], [26n], [50n, 2n, 3n, 51n]];
    for (const [number, hours] of blocks.entries()) {
      const transactions = hours.map((hour) =>
        aTransaction(START + hour * HOUR, { hash: Buffer.alloc(48, 1) }),
      );
      const unit = recordUnit(
        `block-${number}`,
        {
          transactions: transactions.toSorted((a, b) =>
            a.consensusTimestamp < b.consensusTimestamp ? -1 : 1,
          ),
        },
        { kind: 'block', blockNumber: BigInt(number), previousHash },
      );
      await repository.commitUnit({ ...unit, transactions });
      previousHash = unit.header.hash;
    }
    const { prune } = createRetention(sqliteSql(database));
    expect(await prune(1)).toEqual({ transactions: 4, units: 2 });
    const left = database
      .prepare<[], bigint>('select consensus_ts from tx order by 1')
      .safeIntegers()
      .pluck();
    expect(left.all().map((at) => (at - START) / HOUR)).toEqual([2n, 3n, 50n, 51n]);
    expect(await prune(1)).toEqual({ transactions: 0, units: 0 });
  });
});
