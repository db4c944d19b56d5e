import type { SqliteDatabase, SqliteStatement } from '../sqlite.ts';
import type { BulkLoad, BulkRow, BulkTable } from './bulk.ts';

/** Loads rows by their keys in one statement for each table. */
export function createSqliteBulkLoad(database: SqliteDatabase): (load: BulkLoad) => readonly BulkRow[] {
  const statements = new Map<BulkTable, SqliteStatement>();
  return ({ keys, match, table }) => {
    let statement = statements.get(table);
    if (statement === undefined) {
      statement = database.prepare(match === 'newest-before' ? before(table) : byKey(table, match));
      // Read row by row and not as a type: the columns are those of the table.
      statement.safeIntegers(true).raw(true);
      statements.set(table, statement);
    }
    return statement.all(jsonKeys(keys)) as readonly BulkRow[];
  };
}

/** Int64 keeps all its digits in SQLite's JSON. */
function jsonKeys(keys: readonly (readonly bigint[])[]): string {
  return `[${keys.map((key) => (key.length === 1 ? key[0] : `[${key.join(',')}]`)).join(',')}]`;
}

function byKey({ columns, keyLength, name }: BulkTable, match: BulkLoad['match']): string {
  const equalIn = (row: string) =>
    columns
      .slice(0, keyLength)
      .map((column, index) => `${row}.${column} = ${keyLength === 1 ? 'k.value' : `k.value ->> ${index}`}`);
  const isEqual = equalIn('t');
  const time = columns[keyLength];
  if (match === 'newest') {
    isEqual.push(`t.${time} = (select max(n.${time}) from ${name} n where ${equalIn('n').join(' and ')})`);
  }
  return `select ${selected(columns)} from json_each(?) k cross join ${name} t on ${isEqual.join(' and ')}`;
}

function before({ columns, name }: BulkTable): string {
  const [key] = columns;
  return `select distinct ${selected(columns)} from json_each(?) k
    cross join ${name} t on t.${key} = (select max(${key}) from ${name} where ${key} < k.value)`;
}

function selected(columns: readonly string[]): string {
  return columns.map((column) => `t.${column}`).join(', ');
}
