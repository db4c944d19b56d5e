import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { likenessUnder, PREFIX_BYTES, runtimeShapeOf, type ShapedCode } from './runtime-shape.ts';

/** Makes a stored compilation findable by its runtime code. To be called inside a write transaction. */
export function prepareStoreLikeness(
  database: SqliteDatabase,
): (compilationId: number | bigint, code: ShapedCode) => void {
  const upsertShape = database.prepare<unknown[], { readonly id: number }>(
    `INSERT INTO runtime_shape (length, auxdata, filled) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET length = excluded.length RETURNING id`,
  );
  const insert = database.prepare(
    `INSERT INTO compilation_likeness (compilation_id, shape_id, length, masked_hash, linked_hash, prefix)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  return (compilationId, code) => {
    const shape = runtimeShapeOf(code);
    const { maskedHash, linkedHash } = likenessUnder(shape, code.runtime);
    const stored = upsertShape.get(shape.length, JSON.stringify(shape.auxdata), JSON.stringify(shape.filled));
    const prefix = Buffer.from(code.runtime.subarray(0, PREFIX_BYTES));
    insert.run(
      compilationId,
      stored?.id,
      shape.length,
      Buffer.from(maskedHash),
      Buffer.from(linkedHash),
      prefix,
    );
  };
}
