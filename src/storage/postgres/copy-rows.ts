import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import type { Work } from '../../values/work.ts';
import type { BulkRows, BulkTable } from '../sql/bulk.ts';
import { BinaryRows } from './binary-rows.ts';

/**
 * Stores rows by COPY, for tables in which a key that is there already is a fault.
 *
 * @returns what sends them; they are taken at once.
 * @see docs/adr/0087-how-postgresql-takes-a-ledger.md
 */
export function copyOf({ columns, name }: BulkTable, rows: BulkRows): () => Work<void> {
  const binary = BinaryRows.of(rows, columns.length);
  return function* () {
    if (binary.count === 0) return;
    yield async (connection) => {
      const text = `copy ${name} (${columns.join(', ')}) from stdin (format binary)`;
      const stream = (connection as pg.ClientBase).query(from(text));
      const end = finished(stream);
      for (const chunk of binary.chunks) stream.write(chunk);
      stream.end();
      await end;
    };
  };
}
