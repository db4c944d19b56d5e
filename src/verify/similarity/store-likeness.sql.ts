import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import type { Language } from '../match/compiled-code.ts';
import { likenessUnder, PREFIX_BYTES, runtimeShapeOf, type ShapedCode } from './runtime-shape.ts';

/** Makes a stored compilation findable by its runtime code. To be called inside a write transaction. */
export function prepareStoreLikeness(
  sql: Sql,
): (compilationId: number, code: ShapedCode, language: Language) => Work<void> {
  const findShape = sql.prepare<unknown[], { readonly id: number }>(
    'SELECT id FROM runtime_shape WHERE length = ? AND auxdata = ? AND filled = ? LIMIT 1',
  );
  const insertShape = sql.prepare<unknown[], { readonly id: number }>(
    'INSERT INTO runtime_shape (length, auxdata, filled) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING id',
  );
  const insert = sql.prepare(
    `INSERT INTO compilation_likeness (compilation_id, shape_id, length, masked_hash, linked_hash, prefix, is_yul)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (compilation_id) DO NOTHING`,
  );
  return function* (compilationId, code, language) {
    const shape = runtimeShapeOf(code);
    const { maskedHash, linkedHash } = likenessUnder(shape, code.runtime);
    const columns = [shape.length, JSON.stringify(shape.auxdata), JSON.stringify(shape.filled)];
    // Another replica may store it between the look and the insert, whose row is there afterwards.
    const stored =
      (yield* findShape.get(...columns)) ??
      (yield* insertShape.get(...columns)) ??
      (yield* findShape.get(...columns));
    const prefix = Buffer.from(code.runtime.subarray(0, PREFIX_BYTES));
    yield* insert.run(
      compilationId,
      stored?.id,
      shape.length,
      Buffer.from(maskedHash),
      Buffer.from(linkedHash),
      prefix,
      Number(language === 'Yul'),
    );
  };
}
