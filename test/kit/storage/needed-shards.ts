import type { TableRead } from './table-reads.ts';

/**
 * Why a statement needs more than one shard of a cluster, or rows of another node beside a shard; null when it does not.
 *
 * @param columnOf the column by which a table is distributed; undefined for one that is not.
 */
export function whyMoreThanOneShard(
  reads: readonly TableRead[],
  columnOf: (table: string) => string | undefined,
): string | null {
  const columns = new Map<string, string>();
  for (const { table } of reads) {
    const column = columnOf(table);
    if (column !== undefined) columns.set(table, column);
  }
  const [first] = columns;
  if (first === undefined) return null;
  const [table, column] = first;
  const others = new Set(reads.map((read) => read.table));
  others.delete(table);
  if (others.size > 0) return `reads ${[...others].join(', ')} beside ${table}`;
  const values = new Set(reads.map(({ bound }) => bound.get(column)));
  if (values.has(undefined)) return `reads ${table} without a value of ${column}`;
  return values.size > 1 ? `reads ${table} for ${values.size} values of ${column}` : null;
}
