import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { prepareEntityByAddress } from './entity-by-address.sqlite.ts';
import { EDITION } from './ledger-edition.sqlite.ts';
import type { LedgerReader } from './ledger-reader.ts';

/** Reads the watermark and entity addresses. */
export function createSqliteLedgerReader(database: SqliteDatabase): LedgerReader {
  const newestEnd = database
    .prepare<[], bigint | null>('select max(consensus_end) from ledger_unit')
    .safeIntegers(true)
    .pluck();
  const edition = database.prepare<[], string>(`select ${EDITION} from ledger_edition`).pluck();
  const byAddress = prepareEntityByAddress(database);
  return {
    newestConsensusEnd: () => newestEnd.get() ?? null,
    edition: () => edition.get() ?? '',
    async entityByEvmAddress(hex) {
      return byAddress(Buffer.from(hex, 'hex'));
    },
  };
}
