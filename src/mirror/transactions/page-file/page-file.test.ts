import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../../../storage/testing/a-folder.ts';
import { fixtureUnit } from '../../ledger/fixture-unit.ts';
import type { LedgerTransaction } from '../../ledger/rows.ts';
import { createTransactionRemover } from '../../ledger/stored-transactions.sqlite.ts';
import { createStoredUnits } from '../../ledger/stored-units.sqlite.ts';
import { aTransaction } from '../../testing/ledger-rows.ts';
import { randomLedger } from '../../testing/random-ledger.ts';
import type { TransactionFilter } from '../transaction-filter.ts';
import { createSqliteTransactionRepository } from '../transaction-repository.sqlite.ts';
import type { PageFile } from './page-file.ts';
import { withPageFile } from './page-file-repository.ts';
import {
  aFilter,
  contentsOf,
  createPagedLedger,
  type PagedLedger,
  writeAll,
} from './testing/paged-ledger.ts';

const START = 1_700_000_000_000_000_000n;

const neverAsked = () => {
  throw new Error('the database was asked');
};

function aLedger(folder = aFolder(), databaseUrl?: string): PagedLedger {
  const ledger = createPagedLedger(folder, databaseUrl);
  onTestFinished(() => ledger.close());
  return ledger;
}

function opened(ledger: PagedLedger, given?: Parameters<PagedLedger['open']>[0]): PageFile {
  const pageFile = ledger.open(given);
  onTestFinished(() => pageFile.close());
  return pageFile;
}

/** Rows `from` to before `to`, ten nanoseconds apart. */
function rows(from: number, to: number, memo = 'memo'): readonly LedgerTransaction[] {
  return Array.from({ length: to - from }, (_, index) =>
    aTransaction(START + BigInt(from + index) * 10n, {
      memo: new TextEncoder().encode(`${memo} ${from + index}`),
    }),
  );
}

const timeOf = (row: number) => START + BigInt(row) * 10n;

const segmentsIn = (folder: string) =>
  readdirSync(folder).flatMap((name) => (name.endsWith('.rows') ? name.slice(0, -5) : []));

/** The page of the file must be there and be that of the database. */
function expectSame(ledger: PagedLedger, pageFile: PageFile, filter: TransactionFilter): void {
  const page = pageFile.page(filter, neverAsked);
  if (page === null) throw new Error('the file has no such page');
  expect(contentsOf(page)).toEqual(contentsOf(ledger.transactions.page(filter)));
}

describe('pages of a page file', () => {
  const filters = fc.array(
    fc.record({
      order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
      limit: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 100 })),
      lower: fc.oneof(fc.constant(0n), fc.bigInt({ min: START - 2n, max: START + 30n })),
      upper: fc.bigInt({ min: START - 2n, max: START + 60n }),
    }),
    { minLength: 10, maxLength: 20 },
  );

  const longLedger = randomLedger.filter(({ length }) => length >= 10);

  test.each(['spec', 'hiero'] as const)(
    'are those of the database, byte for byte, over any ledger and while it is written (%s)',
    async (dialect) => {
      let [fromFile, all] = [0, 0];
      await fc.assert(
        fc.asyncProperty(
          longLedger,
          filters,
          fc.integer({ min: 1, max: 5 }),
          async (transactions, queries, writes) => {
            const ledger = createPagedLedger(aFolder());
            const pageFile = ledger.open({ dialect });
            try {
              await ledger.store('random', transactions);
              for (let write = 0; write < writes; write++) await pageFile.advance();
              const stored = createSqliteTransactionRepository(ledger.database, dialect);
              const paged = withPageFile(stored, pageFile, () => ledger.edition());
              for (const query of queries) {
                const filter = aFilter(query);
                if (pageFile.page(filter, neverAsked) !== null) fromFile++;
                all++;
                const page = await paged.page(filter);
                expect(contentsOf(page)).toEqual(contentsOf(stored.page(filter)));
              }
            } finally {
              pageFile.close();
              ledger.close();
            }
          },
        ),
        { numRuns: 60 },
      );
      // Otherwise the test would have compared the database with itself.
      expect(fromFile).toBeGreaterThan(all / 5);
    },
  );

  test('with the row behind them lie in the file, or the file does not answer', async () => {
    const ledger = aLedger();
    await ledger.store('a', rows(0, 22));
    const pageFile = opened(ledger);
    await writeAll(pageFile);
    expect([pageFile.state, pageFile.transactions]).toEqual(['current', 20]);
    const has = (filter: Partial<TransactionFilter>) => pageFile.page(aFilter(filter), neverAsked) !== null;
    expect(has({ upper: timeOf(19), limit: 20 })).toBe(true);
    expect(has({ upper: timeOf(19) + 1n })).toBe(false);
    expect(has({ order: 'asc', limit: 19 })).toBe(true);
    expect(has({ order: 'asc', limit: 20 })).toBe(false);
    expect(has({ order: 'asc', limit: 20, upper: timeOf(19) })).toBe(true);
    expect(has({ order: 'asc', lower: timeOf(20) })).toBe(false);
  });

  test('of a hundred rows go over several blocks and segments', async () => {
    const ledger = aLedger();
    await ledger.store('a', rows(0, 150));
    const pageFile = opened(ledger);
    await writeAll(pageFile);
    for (const order of ['asc', 'desc'] as const) {
      for (let row = 0; row < 148; row += 7) {
        expectSame(ledger, pageFile, aFilter({ order, limit: 100, upper: timeOf(row) }));
      }
    }
  });
});

describe('a page file follows its ledger', () => {
  test('through units that are committed, by whole blocks', async () => {
    const ledger = aLedger();
    const pageFile = opened(ledger);
    await ledger.store('a', rows(0, 3));
    await writeAll(pageFile);
    expect(pageFile.transactions).toBe(0);
    await ledger.store('b', rows(3, 9));
    await writeAll(pageFile);
    expect(pageFile.transactions).toBe(8);
    expectSame(ledger, pageFile, aFilter({ upper: timeOf(7) }));
    await ledger.store('c', rows(9, 40));
    await writeAll(pageFile);
    expect(pageFile.transactions).toBe(40);
    expectSame(ledger, pageFile, aFilter({ upper: timeOf(39), limit: 30 }));
  });

  test('but not into a commit that is still open', async () => {
    const ledger = aLedger();
    const pageFile = opened(ledger);
    await ledger.store('a', rows(0, 8));
    ledger.database.exec('begin');
    await writeAll(pageFile);
    expect(pageFile.transactions).toBe(0);
    ledger.database.exec('commit');
    await writeAll(pageFile);
    expect(pageFile.transactions).toBe(8);
  });

  test('when it is opened again, from where it was', async () => {
    const folder = aFolder();
    const ledger = aLedger(folder);
    await ledger.store('a', rows(0, 30));
    const first = ledger.open();
    await writeAll(first);
    first.close();
    await ledger.store('b', rows(30, 50));
    const pageFile = opened(ledger);
    expect(await pageFile.advance()).toBe(true);
    // Nothing was written yet: this is what the file had.
    expect(pageFile.transactions).toBe(28);
    expectSame(ledger, pageFile, aFilter({ upper: timeOf(27), limit: 30 }));
    await writeAll(pageFile);
    expect(pageFile.transactions).toBe(48);
    expectSame(ledger, pageFile, aFilter({ upper: timeOf(47), limit: 50 }));
  });

  test('without rows that were deleted, and drops the segments that have no others', async () => {
    const folder = aFolder();
    const ledger = aLedger(folder);
    await ledger.store('a', rows(0, 60));
    const pageFile = opened(ledger);
    await writeAll(pageFile);
    expect(segmentsIn(folder)).toEqual(['00000000', '00000001', '00000002', '00000003', '00000004']);
    const remover = createTransactionRemover(ledger.database);
    remover.remove(0n, timeOf(25));
    await writeAll(pageFile);
    expect(segmentsIn(folder)).toEqual(['00000002', '00000003', '00000004']);
    expectSame(ledger, pageFile, aFilter({ upper: timeOf(40), limit: 30 }));
    expectSame(ledger, pageFile, aFilter({ order: 'asc', limit: 10 }));
    expectSame(ledger, pageFile, aFilter({ upper: timeOf(25) }));
    // The same after a start.
    pageFile.close();
    const again = opened(ledger);
    await writeAll(again);
    expectSame(ledger, again, aFilter({ order: 'asc', limit: 10 }));
    remover.remove(0n, timeOf(59));
    await writeAll(again);
    expect(again.page(aFilter({ upper: timeOf(40) }), neverAsked)).toBeNull();
    await ledger.store('b', rows(60, 70));
    await writeAll(again);
    expectSame(ledger, again, aFilter({ upper: timeOf(67) }));
    expect(ledger.warnings).toEqual([]);
  });

  test('through rows that are written anew', async () => {
    const folder = aFolder();
    const ledger = aLedger(folder);
    await ledger.store('a', rows(0, 20));
    const pageFile = opened(ledger);
    await writeAll(pageFile);
    const unit = fixtureUnit('a', { transactions: rows(0, 20, 'rebuilt') });
    createStoredUnits(ledger.database, false).rewrite({ ...unit, gas: null });
    // Before it notices, no old rows are served under a tag that names the new ones.
    const filter = aFilter({ upper: timeOf(10) });
    const paged = withPageFile(ledger.transactions, pageFile, () => ledger.edition());
    expect(pageFile.page(filter, neverAsked)).not.toBeNull();
    expect((await paged.page(filter)).rows.text()).toBe(ledger.transactions.page(filter).rows.text());
    // It rests for one look, because a rebuild changes one unit after the other.
    expect(await pageFile.advance()).toBe(false);
    expect(pageFile.page(aFilter({ upper: timeOf(10) }), neverAsked)).toBeNull();
    await writeAll(pageFile);
    expectSame(ledger, pageFile, aFilter({ upper: timeOf(10) }));
  });

  test('through rows that are stored before others', async () => {
    const ledger = aLedger();
    await ledger.store('a', rows(10, 30));
    const pageFile = opened(ledger);
    await writeAll(pageFile);
    await ledger.store('b', [...rows(0, 4), ...rows(30, 31)]);
    await writeAll(pageFile);
    expect(pageFile.transactions).toBe(24);
    expectSame(ledger, pageFile, aFilter({ order: 'asc', limit: 20 }));
  });
});

describe('a page file is not used', () => {
  /** Writes a file for twenty rows and closes it. */
  async function written(folder: string, databaseUrl?: string): Promise<PagedLedger> {
    const ledger = aLedger(folder, databaseUrl);
    await ledger.store('a', rows(0, 20));
    const pageFile = ledger.open();
    await writeAll(pageFile);
    pageFile.close();
    return ledger;
  }

  async function expectWrittenAnew(ledger: PagedLedger, given?: Parameters<PagedLedger['open']>[0]) {
    const pageFile = opened(ledger, given);
    expect(await pageFile.advance()).toBe(true);
    expect(pageFile.transactions).toBe(0);
    await writeAll(pageFile);
    expect(pageFile.transactions).toBe(20);
    return pageFile;
  }

  test('for another database', async () => {
    const folder = aFolder();
    await written(folder);
    const other = aLedger(folder);
    await other.store('other', rows(0, 20, 'other'));
    const pageFile = await expectWrittenAnew(other);
    expectSame(other, pageFile, aFilter({ upper: timeOf(15) }));
  });

  test('for another dialect', async () => {
    const ledger = await written(aFolder());
    const pageFile = await expectWrittenAnew(ledger, { dialect: 'hiero' });
    const hiero = createSqliteTransactionRepository(ledger.database, 'hiero');
    const filter = aFilter({ upper: timeOf(15) });
    expect(pageFile.page(filter, neverAsked)?.rows.text()).toBe(hiero.page(filter).rows.text());
  });

  test('for a backup of its database, older than the file or gone another way', async () => {
    const folder = aFolder();
    const place = aFolder();
    const [now, before] = [join(place, 'now.sqlite'), join(place, 'before.sqlite')];
    const ledger = aLedger(folder, `sqlite:${now}`);
    await ledger.store('a', rows(0, 8));
    await ledger.database.backup(before);
    await ledger.store('b', rows(8, 20));
    const pageFile = ledger.open();
    await writeAll(pageFile);
    pageFile.close();
    const restored = aLedger(folder, `sqlite:${before}`);
    const older = restored.open();
    await older.advance();
    expect(older.transactions).toBe(0);
    older.close();
    await restored.store('c', rows(8, 20, 'another way'));
    await writeAll(opened(ledger));
    const other = restored.open();
    await other.advance();
    expect(other.transactions).toBe(0);
  });

  test('for a ledger of fewer rows than a block, which leaves the folder empty', async () => {
    const folder = aFolder();
    const ledger = aLedger(folder);
    await ledger.store('a', rows(0, 3));
    const pageFile = opened(ledger);
    await writeAll(pageFile);
    expect(pageFile.state).toBe('current');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('by a second server until the first has ended', async () => {
    const ledger = aLedger();
    await ledger.store('a', rows(0, 20));
    const first = ledger.open();
    const second = opened(ledger);
    await writeAll(first);
    await writeAll(second);
    expect([first.state, second.state]).toEqual(['current', 'elsewhere']);
    expect(second.page(aFilter({ upper: timeOf(10) }), neverAsked)).toBeNull();
    first.close();
    await writeAll(second);
    expectSame(ledger, second, aFilter({ upper: timeOf(10) }));
  });
});
