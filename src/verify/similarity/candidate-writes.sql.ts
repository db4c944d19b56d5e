import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import { vyperImmutableSize } from '../match/auxdata/vyper-auxdata.ts';
import { COMPILATION_COLUMNS, type CompilationRow, toCompilation } from './compilation-row.sql.ts';
import { prepareStoreLikeness } from './store-likeness.sql.ts';

export type CandidateWrites = ReturnType<typeof candidateWrites>;

/** What is written about likeness beside new verifications; called inside a transaction. */
export function candidateWrites(sql: Sql) {
  const storeLikeness = prepareStoreLikeness(sql);
  const listOld = sql
    .prepare<unknown[], CompilationRow>(
      `SELECT ${COMPILATION_COLUMNS} WHERE likeness.compilation_id IS NULL ORDER BY compiled.id LIMIT ?`,
    )
    .safeIntegers(true);

  return {
    *indexOld({ limit }: { readonly limit: number }): Work<number> {
      const rows = yield* listOld.all(limit);
      for (const row of rows) {
        const { compilation, auxdata } = toCompilation(row, {}, null);
        const { linkReferences, immutableReferences } = compilation.runtime;
        yield* storeLikeness(row.id, {
          runtime: row.runtime_code ?? new Uint8Array(),
          linkReferences: linkReferences ?? {},
          immutableReferences: immutableReferences ?? {},
          auxdata: auxdata.runtime,
          immutableTailBytes:
            row.language === 'Vyper' ? (vyperImmutableSize(row.version, auxdata.creation['1']) ?? 0) : 0,
        });
      }
      return rows.length;
    },
  };
}
