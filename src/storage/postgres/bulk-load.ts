import type pg from 'pg';
import type { Work } from '../../values/work.ts';
import type { BulkLoad, BulkRow, BulkTable } from '../sql/bulk.ts';
import { typesOf } from './postgres-types.ts';

/**
 * Loads rows by their keys in one statement.
 *
 * It has no name: a plan that was made when the table was small would go on reading all of it.
 */
export function* bulkLoad({ keys, match, table }: BulkLoad): Work<readonly BulkRow[]> {
  if (keys.length === 0) return [];
  const width = keys[0]?.length ?? 0;
  const query = {
    text: match === 'newest-before' ? before(table) : byKey(table, width, match),
    values: Array.from({ length: width }, (_, at) => `{${keys.map((key) => key[at]).join(',')}}`),
    types: typesOf(true),
    rowMode: 'array' as const,
  };
  const { rows } = (yield (connection) => (connection as pg.ClientBase).query(query)) as pg.QueryResult;
  // Read row by row and not as a type: the columns are those of the table.
  return rows as unknown as readonly BulkRow[];
}

function byKey({ columns, name }: BulkTable, width: number, match: BulkLoad['match']): string {
  const keys = Array.from({ length: width }, (_, at) => `k${at}`);
  const equalIn = (row: string) => keys.map((key, at) => `${row}.${columns[at]} = k.${key}`);
  const isEqual = equalIn('t');
  const time = columns[width];
  if (match === 'newest') {
    isEqual.push(`t.${time} = (select max(n.${time}) from ${name} n where ${equalIn('n').join(' and ')})`);
  }
  const lists = keys.map((_, at) => `$${at + 1}::bigint[]`);
  return `select ${selected(columns)} from unnest(${lists.join(', ')}) as k(${keys.join(', ')})
    join ${name} t on ${isEqual.join(' and ')}`;
}

function before({ columns, name }: BulkTable): string {
  const [key] = columns;
  return `select distinct ${selected(columns)} from unnest($1::bigint[]) as k(value)
    cross join lateral (select * from ${name} where ${key} < k.value order by ${key} desc limit 1) t`;
}

function selected(columns: readonly string[]): string {
  return columns.map((column) => `t.${column}`).join(', ');
}
