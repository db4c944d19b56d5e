import type { Sql } from '../storage/sql/sql.ts';
import type { Work } from '../values/work.ts';
import type { StandardJson } from './standard-json.ts';

/** Prepares to read the files of a compilation, by path. */
export function prepareFiles(sql: Sql): (compilationId: bigint) => Work<StandardJson['sources']> {
  const files = sql.prepare<unknown[], { readonly path: string; readonly content: string }>(
    `SELECT link.path, source.content FROM compiled_contract_source AS link
     JOIN source ON source.source_hash = link.source_hash WHERE link.compilation_id = ? ORDER BY link.path`,
  );
  return function* (compilationId) {
    const found = yield* files.all(compilationId);
    return Object.fromEntries(found.map(({ path, content }) => [path, { content }]));
  };
}
