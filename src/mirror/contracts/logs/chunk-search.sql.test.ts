import { describe, expect, onTestFinished, test } from 'vitest';
import { storedUnit } from '../../../../test/kit/mirror/ledger/stored-unit.ts';
import { openMemoryStore } from '../../../../test/support/test-store.ts';
import { openDatabase } from '../../../storage/open-database.ts';
import type { Sql } from '../../../storage/sql/sql.ts';
import { sqliteSql } from '../../../storage/sql/sqlite-sql.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import type { ContractLog } from '../../ledger/facets/contract-logs.ts';
import { fixtureTransaction, fixtureUnit } from '../../ledger/fixture-unit.ts';
import { createLedgerRepository } from '../../ledger/ledger-repository.sql.ts';
import type { ChunkScale } from '../../ledger/log-chunks/log-chunk.ts';
import { createLogChunks } from '../../ledger/log-chunks/log-chunks.sql.ts';
import { createContractLogRepository } from './contract-log-repository.sql.ts';
import type { LogSelection } from './contract-log-repository.ts';

const COUNT = 6000;
/** All chunks have one size. */
const evenly = (size: number): ChunkScale => ({ size, fullSize: size, fewestOfKey: 16 });
const SIZE = 500;
const CONTRACT = entityId(2001n);
const NANOS_PER_DAY = 86_400_000_000_000n;
/** Times of logs are multiples of it. */
const TICK = 1000n;

const payer = entityId(1001n);
const at = (tick: number | bigint) => consensusTimestamp(BigInt(tick) * TICK);
const topic = (number: number) => Uint8Array.of(number);

function aLog(tick: number, ...topics: readonly number[]): ContractLog {
  return {
    consensusTimestamp: at(tick),
    index: 0,
    contract: CONTRACT,
    rootContract: null,
    payer,
    transactionIndex: 0,
    hash: null,
    bloom: null,
    data: null,
    topics: topics.map(topic),
    isSynthetic: false,
  };
}

/** Each with a transaction of its time. */
function unitOf(name: string, logs: readonly ContractLog[], end = 0n) {
  const times = [
    ...logs.map((log) => log.consensusTimestamp),
    ...(end > 0n ? [consensusTimestamp(end)] : []),
  ];
  return fixtureUnit(name, {
    transactions: times.map((consensusTimestamp) => fixtureTransaction({ consensusTimestamp, payer })),
    contractLogs: logs,
  });
}

/** Half of the logs have topics 1 and 2, half 3 and 4, on even ticks. */
const logsOf = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? aLog(2 * index, 1, 2) : aLog(2 * index, 3, 4),
  );
const LEDGER = logsOf(COUNT);

function asking(first: number, second: number, more: Partial<LogSelection> = {}): LogSelection {
  return {
    contract: null,
    from: { consensusTimestamp: at(1), index: 0n },
    to: { consensusTimestamp: at(2 * COUNT), index: 0n },
    topics: [new Set([BigInt(first)]), new Set([BigInt(second)]), null, null],
    order: 'desc',
    limit: 25,
    ...more,
  };
}

describe('a search for topics that are each in many logs and never in one together', () => {
  async function aLedger(logs: readonly ContractLog[]) {
    const database = openDatabase(':memory:');
    onTestFinished(() => void database.close());
    const { read, sql } = countingRows(sqliteSql(database));
    await createLedgerRepository(sql).commitUnit(unitOf('all', logs));
    const { page } = createContractLogRepository(sql);
    return {
      chunks: createLogChunks(sql),
      page,
      async rowsOf(selection: LogSelection) {
        const before = read.rows;
        expect(await page(selection)).toEqual([]);
        return read.rows - before;
      },
    };
  }

  test('reads few rows where there are chunks', async () => {
    const count = 9000;
    const { chunks, rowsOf } = await aLedger(logsOf(count));
    const to = { consensusTimestamp: at(2 * count), index: 0n };
    expect(await rowsOf(asking(1, 4, { to }))).toBeGreaterThan(count / 2 - 2);
    expect(await chunks.build({ scale: evenly(SIZE) })).toBe(count / SIZE);
    // A chunk and what it tells of each key.
    const few = 5 * (count / SIZE);
    for (const order of ['asc', 'desc'] as const) {
      expect(await rowsOf(asking(1, 4, { order, to }))).toBeLessThan(few);
      expect(await rowsOf(asking(1, 4, { order, to, contract: CONTRACT }))).toBeLessThan(few);
      const topics = [new Set([1n, 9n]), new Set([4n, 8n]), null, null];
      expect(await rowsOf(asking(1, 4, { order, to, topics }))).toBeLessThan(few);
    }
  });

  test('reads few rows of the logs that no chunk has yet, and finds what is there', async () => {
    const met = [aLog(2501, 1, 4), aLog(2503, 1, 4)];
    const { page, rowsOf } = await aLedger([...LEDGER, ...met]);
    const few = asking(1, 4, { from: { consensusTimestamp: at(2504), index: 0n } });
    for (const order of ['asc', 'desc'] as const) {
      expect(await rowsOf({ ...few, order })).toBeLessThan(5);
      expect(await rowsOf({ ...few, order, contract: CONTRACT })).toBeLessThan(5);
      const found = await page(asking(1, 4, { order, contract: CONTRACT }));
      const times = met.map(({ consensusTimestamp }) => consensusTimestamp);
      expect(found.map(({ consensusTimestamp }) => consensusTimestamp)).toEqual(
        order === 'asc' ? times : times.toReversed(),
      );
      const topics = [new Set([1n]), new Set([4n, 8n]), null, null];
      expect(await page(asking(1, 4, { order, topics }))).toHaveLength(met.length);
    }
  });
});

test('finds logs that come in between, and those of a unit that is written anew', async () => {
  const { close, mirror } = await openMemoryStore();
  const { contractLogs, ledger, logChunks, rebuild } = mirror;
  const found = async () => {
    const logs = await contractLogs.page(asking(1, 4));
    return logs.map(({ consensusTimestamp }) => consensusTimestamp / TICK);
  };
  try {
    const all = unitOf('all', LEDGER);
    await ledger.commitUnit(all);
    expect(await logChunks.build({ scale: evenly(SIZE) })).toBe(COUNT / SIZE);
    expect(await found()).toEqual([]);
    const end = at(3 * COUNT);
    await ledger.commitUnit(unitOf('late', [aLog(4001, 1, 4), aLog(7001, 1, 4)], end));
    expect(await found()).toEqual([7001n, 4001n]);
    // The chunks before them are still there.
    expect(await logChunks.build({ scale: evenly(SIZE) })).toBeGreaterThan(COUNT / SIZE / 2);
    expect(await found()).toEqual([7001n, 4001n]);
    await rebuild().units.rewrite(storedUnit({ ...all, contractLogs: [aLog(5001, 1, 4), ...LEDGER] }));
    expect(await found()).toEqual([5001n]);
  } finally {
    await close();
  }
});

describe('early chunks', () => {
  const scale = { ...evenly(300), fullSize: 1000 };

  async function anEmptyLedger() {
    const database = openDatabase(':memory:');
    onTestFinished(() => void database.close());
    const { read, sql } = countingRows(sqliteSql(database));
    const ledger = createLedgerRepository(sql);
    const { page } = createContractLogRepository(sql);
    return {
      build: createLogChunks(sql).build,
      add: (logs: readonly ContractLog[]) =>
        ledger.commitUnit(unitOf(`from ${logs[0]?.consensusTimestamp}`, logs)),
      async expectAllFound() {
        const before = read.rows;
        expect(await page(asking(1, 4))).toEqual([]);
        // Two keys of each chunk, and the logs behind them.
        expect(read.rows - before).toBeLessThan(4 * (COUNT / scale.fullSize) + scale.size + 20);
        const shown = await page(asking(1, 2, { order: 'asc', limit: COUNT }));
        expect(shown).toHaveLength(COUNT / 2 - 1);
      },
    };
  }

  test('give way to a full one of the same logs and those that follow', async () => {
    const { add, build, expectAllFound } = await anEmptyLedger();
    const made: number[] = [];
    for (let first = 0; first < COUNT; first += 600) {
      await add(LEDGER.slice(first, first + 600));
      made.push(await build({ scale }));
    }
    expect(made.slice(0, 4)).toEqual([2, 1, 2, 2]);
    await expectAllFound();
  });

  test('are joined from the first on where they were made in another size', async () => {
    const { add, build, expectAllFound } = await anEmptyLedger();
    await add(LEDGER.slice(0, 5600));
    expect(await build({ scale: evenly(400) })).toBe(14);
    await add(LEDGER.slice(5600));
    // Of 1200 each: one that ends within a full one is all in it.
    expect(await build({ scale })).toBe(5);
    await expectAllFound();
  });
});

describe.each(['asc', 'desc'] as const)('a search whose chunks change meanwhile, %s', (order) => {
  test.each([
    ['before its first part, all of them', 1, 1, false],
    ['between its parts, all of them', 2, 1, false],
    ['between its parts, the newer ones', 2, COUNT - 1, false],
    ['between its parts, and are made again in other sizes', 2, 1, true],
  ])('finds each log once when they are dropped %s', async (_what, moment, tick, isRemade) => {
    const database = openDatabase(':memory:');
    const sql = sqliteSql(database);
    const ledger = createLedgerRepository(sql);
    const chunks = createLogChunks(sql);
    let parts = 0;
    const readTogether: Sql['readTogether'] = async (work) => {
      parts += 1;
      if (parts === moment) {
        await ledger.commitUnit(unitOf('late', [aLog(tick, 9, 9)], at(3 * COUNT)));
        if (isRemade) await chunks.build({ scale: evenly(70) });
      }
      return sql.readTogether(work);
    };
    try {
      await ledger.commitUnit(unitOf('all', LEDGER));
      expect(await chunks.build({ scale: evenly(40) })).toBe(COUNT / 40);
      const { page } = createContractLogRepository({ ...sql, readTogether });
      const found = await page(asking(1, 2, { order, limit: COUNT }));
      const expected = LEDGER.filter((_, index) => index % 2 === 0 && index > 0).map(
        (log) => log.consensusTimestamp,
      );
      expect(found.map((log) => log.consensusTimestamp)).toEqual(
        order === 'asc' ? expected : expected.toReversed(),
      );
      expect(parts).toBeGreaterThanOrEqual(moment);
    } finally {
      database.close();
    }
  });
});

test('goes on with the chunks that are left when the oldest transactions are deleted', async () => {
  const { close, mirror } = await openMemoryStore();
  const { contractLogs, ledger, logChunks, retention } = mirror;
  try {
    await ledger.commitUnit(unitOf('old', LEDGER.slice(0, COUNT / 3)));
    const rest = LEDGER.slice(COUNT / 3).map((log) => ({
      ...log,
      consensusTimestamp: consensusTimestamp(log.consensusTimestamp + 2n * NANOS_PER_DAY),
    }));
    await ledger.commitUnit(unitOf('new', rest));
    expect(await logChunks.build({ scale: evenly(900) })).toBe(6);
    await retention.prune(1);
    const asked = asking(1, 2, {
      to: { consensusTimestamp: at(2 * COUNT) + 2n * NANOS_PER_DAY, index: 0n },
      order: 'asc',
      limit: COUNT,
    });
    const shown = await contractLogs.page(asked);
    expect(shown.map((log) => log.consensusTimestamp)).toEqual(
      rest.filter((_, index) => index % 2 === 0).map((log) => log.consensusTimestamp),
    );
    expect(await logChunks.build({ scale: evenly(100) })).toBe(6);
  } finally {
    await close();
  }
});

/** Counts the rows that statements answer with. */
function countingRows(sql: Sql): { readonly read: { rows: number }; readonly sql: Sql } {
  const read = { rows: 0 };
  const counted =
    (prepare: Sql['prepare']): Sql['prepare'] =>
    <Values extends readonly unknown[], Row>(text: string) => {
      const statement = prepare<Values, Row>(text);
      const all = statement.all.bind(statement);
      statement.all = function* (...values: Values) {
        const rows = yield* all(...values);
        read.rows += rows.length;
        return rows;
      };
      return statement;
    };
  const counting: Sql = {
    ...sql,
    prepareValue: counted(sql.prepareValue),
    prepareExact: counted(sql.prepareExact),
    prepareExactColumns: counted(sql.prepareExactColumns),
  };
  return { read, sql: counting };
}
