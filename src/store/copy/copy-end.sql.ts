import type { Sql, SqlStatement, SqlValue } from '../../storage/sql/sql.ts';
import { databaseReason, translated } from '../../storage/with-storage-errors.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { Work } from '../../values/work.ts';
import type { CopiedRow, CopiedTable, CopyEnd } from './copy-end.ts';
import { COPY_PROGRESS } from './incomplete-copy.ts';

/** Beside a row for each table that was begun, the progress has one without a name. */
const ORIGIN = '';

/** What each engine does in its own way. */
interface CopyEngine extends Pick<CopyEnd, 'url' | 'issuedIds' | 'continueIds' | 'close'> {
  readonly sql: Sql;
  hasTable(name: string): Work<boolean>;
}

/** One end of a copy; the tables are those of the database's own schema. */
export function createCopyEnd({ sql, hasTable, ...engine }: CopyEngine): CopyEnd {
  const pages = new Map<string, SqlStatement<SqlValue[], CopiedRow>>();
  const page = (text: string): SqlStatement<SqlValue[], CopiedRow> => {
    const known = pages.get(text) ?? sql.prepareExactColumns<SqlValue[], CopiedRow>(text);
    pages.set(text, known);
    return known;
  };
  function* progressOf(name: string): Work<string | null> {
    if (!(yield* hasTable(COPY_PROGRESS))) return null;
    const find = sql.prepareValue<[string], string>(
      `select last_key from ${COPY_PROGRESS} where table_name = ?`,
    );
    return (yield* find.get(name)) ?? null;
  }
  function* note(name: string, key: string): Work<void> {
    yield* sql
      .prepare<[string, string]>(
        `insert into ${COPY_PROGRESS} (table_name, last_key) values (?, ?)
         on conflict (table_name) do update set last_key = excluded.last_key`,
      )
      .run(name, key);
  }
  const end: CopyEnd = {
    ...engine,
    identity: async () => {
      const find = sql.prepareValue<[], Uint8Array>('select ledger_id from ledger_edition');
      return Buffer.from((await sql.read(() => find.get())) ?? []).toString('hex');
    },
    rowsAfter: async (table, key, limit) => {
      const statement = page(pageText(table, key !== null));
      return sql.read(() => statement.all(...(key ?? []), limit));
    },
    begunFrom: async () => sql.read(() => progressOf(ORIGIN)),
    begin: (identity) =>
      sql.write(function* () {
        yield* sql
          .prepare(`create table ${COPY_PROGRESS} (table_name text primary key, last_key text not null)`)
          .run();
        // A new database makes an identity of its own.
        yield* sql.prepare('delete from ledger_edition').run();
        yield* note(ORIGIN, identity);
      }),
    lastKey: async ({ name }) => {
      const text = await sql.read(() => progressOf(name));
      return text === null ? null : keyFromText(text);
    },
    store: (table, rows) =>
      sql.write(function* () {
        const last = rows.at(-1);
        if (last === undefined) return;
        const { columns, key, name } = table;
        yield* sql.store({ name, columns, keyLength: key.length, onConflict: 'fail' }, rows);
        yield* note(name, keyToText(keyOf(table, last)));
      }),
    finish: () =>
      sql.write(function* () {
        yield* sql.prepare(`drop table ${COPY_PROGRESS}`).run();
      }),
  };
  return translated(end, (error) => failureOf(error, engine.url));
}

/** An error of the database says which one it is. */
function failureOf(error: unknown, url: string): unknown {
  const reason = databaseReason(error);
  if (reason === null) return error;
  return new LedgerlensError(
    'database_unusable',
    `The database ${url} cannot be used: ${reason}. The same command continues the copy.`,
    { cause: error },
  );
}

/** The values of the key of a row. */
function keyOf({ columns, key }: CopiedTable, row: CopiedRow): CopiedRow {
  return key.map((column) => row[columns.indexOf(column)] ?? null);
}

function pageText({ columns, key, name }: CopiedTable, isAfter: boolean): string {
  const list = key.join(', ');
  const after = isAfter ? ` where (${list}) > (${key.map(() => '?').join(', ')})` : '';
  return `select ${columns.join(', ')} from ${name}${after} order by ${list} limit ?`;
}

type Told = readonly [type: 'i' | 't' | 'b', text: string];

/** A key as text that gives back the same values. */
function keyToText(key: CopiedRow): string {
  return JSON.stringify(key.map(told));
}

function keyFromText(text: string): CopiedRow {
  return (JSON.parse(text) as Told[]).map(([type, value]) => {
    if (type === 'i') return BigInt(value);
    return type === 'b' ? Buffer.from(value, 'hex') : value;
  });
}

function told(value: CopiedRow[number]): Told {
  if (value === null) throw new Error('A key has no null');
  if (typeof value === 'string') return ['t', value];
  if (typeof value === 'object') return ['b', Buffer.from(value).toString('hex')];
  return ['i', value.toString()];
}
