import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { writtenStream } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { COMPARED_KINDS, type ComparedKind } from '../../../../test/kit/mirror/ledger/compared-kinds.ts';
import { memoryBackend } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { type NaiveLedger, naiveLedger } from '../../../../test/kit/mirror/ledger/naive-ledger.ts';
import { isFullDepth } from '../../../../test/support/depth.ts';
import { freshSeed } from '../../../../test/support/seed.ts';
import { openDatabase } from '../../../storage/open-database.ts';
import { sqliteSql } from '../../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import type { ColumnValue } from '../../../values/stored-tables.ts';
import { doNow } from '../../../values/work.ts';
import { createLedgerLookup } from '../../ingest/ledger-lookup.sql.ts';
import { createImporter } from '../../ingest/run/importer.ts';
import { createDirectorySource } from '../../ingest/source/directory-source.ts';
import { createLedgerRepository } from '../ledger-repository.sql.ts';
import type { LedgerUnit } from '../rows.ts';
import { commitUnits } from './ledger-backend.ts';

/** A ledger that has some of all. */
const SEED = 'one';
const FILES = 20;
const TWO_HOURS = 7_200_000_000_000n;
const HBAR = 5_000_000_000_000_000_000n;
const open: SqliteDatabase[] = [];

afterEach(() => {
  for (const database of open.splice(0)) database.close();
});

type Rows = (table: string) => readonly Readonly<Record<string, ColumnValue>>[];

/** A ledger of everything: the units as they were decoded, beside the database that they were imported into. */
async function importedLedger(seed: string) {
  const { tree } = await writtenStream({
    mix: 'everything',
    seed,
    files: FILES,
    transactionsPerFile: 110,
    filePeriod: TWO_HOURS,
    nodes: 1,
    accounts: 25,
  });
  const database = openDatabase(':memory:');
  const repository = createLedgerRepository(sqliteSql(database));
  const units: LedgerUnit[] = [];
  const report = await createImporter({
    repository: {
      ...repository,
      async commitUnits(added) {
        units.push(...added);
        return repository.commitUnits(added);
      },
    },
    lookup: createLedgerLookup(sqliteSql(database)),
    source: createDirectorySource('/stream', tree),
  }).run();
  expect(report).toMatchObject({ refused: [], units: FILES });
  const rows: Rows = (table) =>
    database.prepare<[], Record<string, ColumnValue>>(`select * from ${table}`).safeIntegers(true).all();
  const stored = new Map(COMPARED_KINDS.map((kind) => [kind, figures(kind, rows)]));
  database.close();
  return { units, stored, replay: naiveLedger(units) };
}

function figures({ stored, table }: ComparedKind, rows: Rows): ReadonlyMap<string, string> {
  return new Map(rows(table).flatMap((row) => [stored(row) ?? []].filter((figure) => figure.length === 2)));
}

const sum = (values: Iterable<bigint>) => [...values].reduce((total, value) => total + value, 0n);

// The last one is another with every run.
describe.each([SEED, ...(isFullDepth ? ['two'] : []), `${freshSeed()}`])('the ledger of seed %s', (seed) => {
  let ledger: Awaited<ReturnType<typeof importedLedger>>;
  let replay: NaiveLedger;
  beforeAll(async () => {
    ledger = await importedLedger(seed);
    replay = ledger.replay;
  });

  test.each(COMPARED_KINDS)('has the $name that a replay of all transactions makes', (kind) => {
    const expected = new Map(kind.replayed(replay));
    if (seed === SEED) expect(expected.size).toBeGreaterThan(0);
    expect(ledger.stored.get(kind)).toEqual(expected);
  });

  test('is the same in whatever commits its units are stored', () => {
    for (const size of [1, 6]) {
      const backend = memoryBackend();
      for (let index = 0; index < ledger.units.length; index += size) {
        doNow(commitUnits(backend, ledger.units.slice(index, index + size), false));
      }
      for (const kind of COMPARED_KINDS) {
        expect([kind.name, figures(kind, (table) => backend.rows(table))]).toEqual([
          kind.name,
          ledger.stored.get(kind),
        ]);
      }
    }
  });

  test('has all hbar that there is', () => {
    expect(sum([...replay.hbar.values()].map(({ balance }) => balance))).toBe(HBAR);
  });

  test('has granted what was spent and what is left', () => {
    const allowances = [...replay.approvals.allowances.values()];
    expect(allowances.length).toBeGreaterThan(0);
    if (seed === SEED) expect(allowances.some(({ spent }) => spent > 0n)).toBe(true);
    for (const { granted, left, spent } of allowances) expect(left + spent).toBe(granted);
  });

  test('has as much of each token as its supply says, and as many NFTs', () => {
    const { nfts, relations, tokens } = replay.tokens;
    for (const [token, { isUnique, supply }] of tokens) {
      const held = [...relations].flatMap(([key, { balance }]) => (key.endsWith(`/${token}`) ? balance : []));
      expect([token, sum(held)]).toEqual([token, supply]);
      if (!isUnique) continue;
      const living = [...nfts].filter(([key, { isDeleted }]) => key.startsWith(`${token}/`) && !isDeleted);
      expect([token, BigInt(living.length)]).toEqual([token, supply]);
    }
  });
});
