import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import { readLedgerContinuity } from './ledger-continuity.sqlite.ts';
import { readLedgerDerivation } from './ledger-derivation.sqlite.ts';
import type { LedgerReport } from './ledger-report.ts';
import { readLedgerSize } from './ledger-size.sqlite.ts';
import { readLedgerIds, readUnitRuns } from './ledger-units.sqlite.ts';

/** Reports of a ledger in SQLite; each prepares what it asks, since it is asked once. */
export function createSqliteLedgerReport(database: SqliteDatabase): LedgerReport {
  return {
    async unitRuns(each) {
      return [...readUnitRuns(database, each)];
    },
    async ledgerIds() {
      return readLedgerIds(database);
    },
    async continuity() {
      return readLedgerContinuity(database);
    },
    derivation() {
      return readLedgerDerivation(database);
    },
    async size() {
      return readLedgerSize(database);
    },
  };
}
