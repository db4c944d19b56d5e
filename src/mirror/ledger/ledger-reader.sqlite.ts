import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { LedgerReader } from './ledger-reader.ts';

/** Reads the watermark and entity addresses. */
export function createSqliteLedgerReader(database: SqliteDatabase): LedgerReader {
  const newestEnd = database
    .prepare<[], bigint | null>('select max(consensus_end) from ledger_unit')
    .safeIntegers(true)
    .pluck();
  const byAddress = database
    .prepare<[Buffer, Buffer], bigint>(
      `select id from (
         select id, created_ts from entity where evm_address = ?
         union all select id, created_ts from entity where alias = ?)
       order by created_ts desc limit 1`,
    )
    .safeIntegers(true)
    .pluck();
  return {
    newestConsensusEnd: () => newestEnd.get() ?? null,
    async entityByEvmAddress(hex) {
      const address = Buffer.from(hex, 'hex');
      return byAddress.get(address, address) ?? null;
    },
  };
}
