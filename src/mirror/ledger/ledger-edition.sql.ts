import type { Sql, SqlDialect } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';

/** SQL over `ledger_edition`: names the ledger and how often rows were changed that had been stored before. */
export const editionOf = ({ hex }: SqlDialect) =>
  `substr(${hex('ledger_id')}, 1, 8) || '-' || cast(rewrites as text)`;

/**
 * Says that stored rows changed, or that rows were stored before the newest ones: files derived from the ledger are
 * written anew. Called in the database transaction that does so.
 */
type MarkRewritten = () => Work<void>;

/** Prepares the statement once. */
export function createRewriteMark(sql: Sql): MarkRewritten {
  const mark = sql.prepare('update ledger_edition set rewrites = rewrites + 1');
  return function* () {
    yield* mark.run();
  };
}
