import type { Sql } from '../../../storage/sql/sql.ts';
import type { Awaitable } from '../../../values/and-then.ts';
import { readLedgerContinuity } from './ledger-continuity.sql.ts';
import { readLedgerDerivation } from './ledger-derivation.sql.ts';
import type { LedgerReport, LedgerSize } from './ledger-report.ts';
import { readLedgerIds, readUnitRuns } from './ledger-units.sql.ts';

/** Reports of a ledger; each prepares what it asks, since it is asked once. @param readSize tells what the tables take. */
export function createLedgerReport(sql: Sql, readSize: () => Awaitable<LedgerSize>): LedgerReport {
  return {
    async unitRuns(each) {
      return sql.read(() => readUnitRuns(sql, each));
    },
    async ledgerIds() {
      return sql.read(() => readLedgerIds(sql));
    },
    async continuity() {
      return sql.read(() => readLedgerContinuity(sql));
    },
    derivation() {
      return sql.read(() => readLedgerDerivation(sql));
    },
    async size() {
      return readSize();
    },
  };
}
