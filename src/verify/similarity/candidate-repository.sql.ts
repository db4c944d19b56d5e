import type { Sql } from '../../storage/sql/sql.ts';
import type { Writer } from '../../storage/writer/writer.ts';
import type { CandidateRepository } from './candidate-repository.ts';
import type { CandidateWrites } from './candidate-writes.sql.ts';
import { COMPILATION_COLUMNS, type CompilationRow, readJson, toCompilation } from './compilation-row.sql.ts';
import { type CodePlace, likenessUnder, PREFIX_BYTES } from './runtime-shape.ts';

interface ShapeRow {
  readonly auxdata: string;
  readonly filled: string;
}

interface CandidateRow {
  readonly id: bigint;
}

/** Shapes of one length that are looked at; more would only be made to slow the search down. */
const MAX_SHAPES = 200;
/** Bytes that one search hashes, twice: the time of 200 shapes of the longest code that Ethereum allows. */
const MAX_HASHED = 200 * 24_576;

/** Compilations by their likeness in SQLite: reads on the connection, writes through the writer. */
export function createCandidateRepository(sql: Sql, writer: Writer<CandidateWrites>): CandidateRepository {
  const listShapes = sql.prepare<unknown[], ShapeRow>(
    'SELECT auxdata, filled FROM runtime_shape WHERE length = ? LIMIT ?',
  );
  const ids = (condition: string) =>
    sql
      .prepare<unknown[], CandidateRow>(
        `SELECT compilation_id AS id FROM compilation_likeness WHERE ${condition} LIMIT ?`,
      )
      .safeIntegers(true);
  const byBoth = ids('masked_hash = ? AND linked_hash = ?');
  const byMasked = ids('masked_hash = ?');
  const byPrefixAndLength = ids('prefix = ? AND length = ?');
  const byPrefix = ids('prefix = ?');

  const findCompilation = sql
    .prepare<unknown[], CompilationRow>(`SELECT ${COMPILATION_COLUMNS} WHERE compiled.id = ?`)
    .safeIntegers(true);
  const findSources = sql
    .prepare<unknown[], { readonly path: string; readonly content: string }>(
      `SELECT link.path, source.content FROM compiled_contract_source AS link
       JOIN source ON source.source_hash = link.source_hash WHERE link.compilation_id = ? ORDER BY link.path`,
    )
    .safeIntegers(true);
  const findMetadata = sql
    .prepare<unknown[], { readonly metadata: string | null }>(
      `SELECT match.metadata FROM verified_contract AS verified
       JOIN verification_match AS match ON match.verified_contract_id = verified.id
       WHERE verified.compilation_id = ? LIMIT 1`,
    )
    .safeIntegers(true);

  return {
    async find(runtime, limit) {
      return sql.read(function* () {
        const shapes = Math.min(MAX_SHAPES, Math.ceil(MAX_HASHED / Math.max(1, runtime.length)));
        const likenesses = (yield* listShapes.all(runtime.length, shapes)).map(({ auxdata, filled }) => {
          const places = { auxdata: readJson<CodePlace[]>(auxdata), filled: readJson<CodePlace[]>(filled) };
          return likenessUnder({ length: runtime.length, ...places }, runtime);
        });
        const prefix = Buffer.from(runtime.subarray(0, PREFIX_BYTES));
        const found = new Set<bigint>();
        const add = (rows: readonly CandidateRow[]) => {
          for (const { id } of rows) if (found.size < limit) found.add(id);
        };
        for (const { maskedHash, linkedHash } of likenesses) {
          add(yield* byBoth.all(Buffer.from(maskedHash), Buffer.from(linkedHash), limit));
        }
        for (const { maskedHash } of likenesses) add(yield* byMasked.all(Buffer.from(maskedHash), limit));
        add(yield* byPrefixAndLength.all(prefix, runtime.length, limit));
        add(yield* byPrefix.all(prefix, limit));
        return [...found];
      });
    },
    async read(compilationId) {
      return sql.read(function* () {
        const row = yield* findCompilation.get(compilationId);
        if (row === undefined) throw new Error(`Compilation ${compilationId} is no longer stored`);
        const sources = (yield* findSources.all(row.id)).map(
          ({ path, content }) => [path, { content }] as const,
        );
        return toCompilation(
          row,
          Object.fromEntries(sources),
          (yield* findMetadata.get(row.id))?.metadata ?? null,
        );
      });
    },
    indexOld: (limit) => writer.write('indexOld', { limit }),
  };
}
