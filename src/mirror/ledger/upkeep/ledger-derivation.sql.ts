import type { Sql } from '../../../storage/sql/sql.ts';
import type { Work } from '../../../values/work.ts';
import { DERIVATION } from '../fold/ledger-clock.ts';
import type { LedgerDerivation } from './ledger-report.ts';

/** Reads one row. @see LedgerReport */
export function* readLedgerDerivation(sql: Sql): Work<LedgerDerivation> {
  const found = yield* sql
    .prepare<[bigint], { readonly isLost: number }>(
      `select exists (select 1 from ledger_retention) or exists (select 1 from ledger_unit where kind = 'fixture') as isLost
       from ledger_state where derivation is distinct from ?`,
    )
    .get(DERIVATION);
  if (found === undefined) return 'current';
  return found.isLost === 1 ? 'older-for-good' : 'older';
}
