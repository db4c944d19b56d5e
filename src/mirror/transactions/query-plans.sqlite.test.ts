import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aTransaction, aTransfer } from '../../../test/kit/mirror/ledger-rows.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import { createLedgerRepository } from '../ledger/ledger-repository.sql.ts';
import type { AccountFilter } from '../parameters/account-filter.ts';
import { TRANSACTION_TYPES } from '../vocabulary/transaction-types.ts';
import type { TransactionFilter } from './transaction-filter.ts';
import { createTransactionRepository } from './transaction-repository.sql.ts';

/** Index searches, the rows of the page itself, and lists that came with the request. */
const CHEAP_STEP =
  /^(SEARCH |CO-ROUTINE |SCAN (\(subquery|page)|SCAN \w+ VIRTUAL TABLE|(CORRELATED SCALAR|LIST) SUBQUERY|CREATE BLOOM FILTER)/;

/** Records the statements of a repository as they are prepared. */
function recordStatements(database: SqliteDatabase): {
  readonly spied: SqliteDatabase;
  readonly texts: string[];
} {
  const texts: string[] = [];
  const spied = new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') {
        return (sql: string) => {
          texts.push(sql);
          return target.prepare(sql);
        };
      }
      return Reflect.get(target, name, target) as unknown;
    },
  });
  return { spied, texts };
}

const ACCOUNTS = Array.from({ length: 100 }, (_, index) => entityId(BigInt(1001 + index)));

/** One transaction of each account; the caller closes it. */
async function aLedger(): Promise<SqliteDatabase> {
  const own = openDatabase(':memory:');
  const transactions = ACCOUNTS.map((account, index) =>
    aTransaction(1_700_000_000_000_000_000n + BigInt(index), { transfers: [aTransfer(account, 1n)] }),
  );
  await createLedgerRepository(sqliteSql(own)).commitUnit(fixtureUnit('ledger', { transactions }));
  return own;
}

/** What a filter asks for. */
interface Kind {
  readonly account: bigint;
  readonly type: number;
  readonly isSuccessful: boolean;
  readonly amount: bigint;
}

/** One of each kind. */
const KINDS: readonly Kind[] = [5n, 6n, 7n, 20n].flatMap((account) =>
  [14, 37, 23].flatMap((type) =>
    [true, false].flatMap((isSuccessful) =>
      [1n, -1n].map((amount) => ({ account, type, isSuccessful, amount })),
    ),
  ),
);
const START = 1_700_000_000_000_000_000n;

async function storeKinds(database: SqliteDatabase): Promise<void> {
  const transactions = KINDS.map(({ account, type, isSuccessful, amount }, index) =>
    aTransaction(START + BigInt(index), {
      payer: entityId(account),
      type,
      result: isSuccessful ? 22 : 10,
      transfers: [aTransfer(account, amount)],
    }),
  );
  await createLedgerRepository(sqliteSql(database)).commitUnit(fixtureUnit('kinds', { transactions }));
}

/** Their times, in the order of the filter. */
function timesOf({ accounts, types, direction, isSuccessful, order }: TransactionFilter): readonly string[] {
  const times = KINDS.flatMap((kind, index) => {
    const isOfAccount =
      accounts === null ||
      (accounts.kind === 'set'
        ? accounts.ids.includes(kind.account)
        : kind.account >= accounts.lower &&
          kind.account <= accounts.upper &&
          !accounts.excluded.includes(kind.account));
    const isWanted =
      isOfAccount &&
      (types === null || types.includes(kind.type)) &&
      (direction === null || (direction === 'credit') === kind.amount > 0n) &&
      (isSuccessful === null || isSuccessful === kind.isSuccessful);
    return isWanted ? [printTimestamp(START + BigInt(index))] : [];
  });
  return order === 'asc' ? times : times.toReversed();
}

const accountFilters: readonly (AccountFilter | null)[] = [
  null,
  { kind: 'set', ids: [5n] },
  { kind: 'set', ids: [5n, 6n] },
  { kind: 'range', lower: 2n, upper: 9n, excluded: [5n] },
];

describe('query plans of the transaction repository', () => {
  let database: SqliteDatabase;

  beforeAll(async () => {
    database = openDatabase(':memory:');
    await storeKinds(database);
  });
  afterAll(() => {
    database.close();
  });

  test('no statement scans a table or sorts what an index already orders', () => {
    const { spied, texts } = recordStatements(database);
    createTransactionRepository(sqliteSql(spied), 'spec');
    expect(texts.length).toBeGreaterThan(15);
    for (const sql of texts) {
      const steps = database
        .prepare<unknown[], { readonly detail: string }>(`explain query plan ${sql}`)
        .all(...Array.from(sql.matchAll(/\?/g), () => null))
        .map(({ detail }) => detail);
      expect(steps, sql).not.toEqual([]);
      for (const step of steps) expect(step, sql).toMatch(CHEAP_STEP);
    }
  });

  test('every combination of filters is answered', async () => {
    const repository = createTransactionRepository(sqliteSql(database), 'spec', 0);
    for (const accounts of accountFilters) {
      for (const types of [null, [14], [14, 37]]) {
        for (const direction of [null, 'credit', 'debit'] as const) {
          for (const isSuccessful of [null, true, false]) {
            for (const order of ['asc', 'desc'] as const) {
              const filter: TransactionFilter = {
                accounts,
                types,
                direction,
                isSuccessful,
                order,
                lower: 0n,
                upper: 2n ** 63n - 1n,
                excludedTimes: new Set(),
                limit: 25,
              };
              const times = timesOf(filter);
              expect(times).not.toEqual([]);
              expect(await repository.page(filter)).toMatchObject({
                count: Math.min(times.length, 25),
                first: times[0],
                last: times.slice(0, 25).at(-1),
                hasMore: times.length > 25,
              });
            }
          }
        }
      }
    }
  });

  test('accounts are not asked for the many types that they do not have', async () => {
    const own = await aLedger();
    try {
      const { executed, spied } = recordExecutions(own);
      const page = await createTransactionRepository(sqliteSql(spied), 'spec').page({
        accounts: { kind: 'set', ids: ACCOUNTS },
        types: TRANSACTION_TYPES.map(({ number }) => number),
        direction: null,
        isSuccessful: null,
        order: 'desc',
        lower: 0n,
        upper: 2n ** 63n - 1n,
        excludedTimes: new Set(),
        limit: 25,
      });
      expect(page.count).toBe(25);
      expect(executed.length).toBeLessThan(1000);
    } finally {
      own.close();
    }
  });

  test.each([
    ['types', { types: [23] }],
    ['failures', { isSuccessful: false }],
  ])(
    'a wide account range with %s, which may be rare, does not walk the rows of all accounts',
    async (_what, more) => {
      const own = await aLedger();
      const { executed, spied } = recordExecutions(own);
      await createTransactionRepository(sqliteSql(spied), 'spec', 10).page({
        accounts: { kind: 'range', lower: 0n, upper: 2n ** 63n - 1n, excluded: [] },
        types: null,
        direction: null,
        isSuccessful: null,
        order: 'desc',
        lower: 0n,
        upper: 2n ** 63n - 1n,
        excludedTimes: new Set(),
        limit: 25,
        ...more,
      });
      own.close();
      expect(executed.length).toBeGreaterThan(12);
      for (const sql of executed)
        expect(sql).not.toMatch(/from account_tx indexed by account_tx_by_time\s+where consensus_ts/);
    },
  );
});

/** Records the statements of a repository as they are run. */
function recordExecutions(database: SqliteDatabase): {
  readonly spied: SqliteDatabase;
  readonly executed: readonly string[];
} {
  const executed: string[] = [];
  const spied = new Proxy(database, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name, target) as unknown;
      return (sql: string) => {
        const statement = target.prepare<unknown[], unknown>(sql);
        for (const method of ['all', 'get'] as const) {
          const run = statement[method].bind(statement) as (...values: unknown[]) => never;
          statement[method] = (...values: unknown[]) => {
            executed.push(sql);
            return run(...values);
          };
        }
        return statement;
      };
    },
  });
  return { spied, executed };
}
