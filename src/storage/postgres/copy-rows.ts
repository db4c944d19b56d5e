import type pg from 'pg';
import type { Work } from '../../values/work.ts';
import type { BulkRows, BulkTable } from '../sql/bulk.ts';
import { BinaryRows } from './binary-rows.ts';
import { CopyIn } from './copy-in.ts';

/** The types that columns of copied rows may have. */
export const COPIED_TYPES: ReadonlySet<string | undefined> = new Set(['bigint', 'text', 'bytea']);

interface RowsToCopy {
  readonly count: number;
  /** @throws Error with code 23505 when a row has a key that is there already; nothing is stored then. */
  send(): Work<void>;
}

/**
 * Stores rows by COPY; they are taken at once.
 *
 * @see docs/adr/0008-postgresql.md
 */
export function copyOf({ columns, name }: BulkTable, rows: BulkRows): RowsToCopy {
  const binary = BinaryRows.of(rows, columns.length);
  return {
    count: binary.count,
    *send() {
      if (binary.count === 0) return;
      const text = `copy ${name} (${columns.join(', ')}) from stdin (format binary)`;
      yield (connection) => (connection as pg.ClientBase).query(new CopyIn(text, binary.takeChunks())).done;
    },
  };
}
