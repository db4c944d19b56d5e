import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { prepareAnyEntityByAddress, prepareEntityByEvmAddress } from './entity-by-address.sqlite.ts';
import { EDITION } from './ledger-edition.sqlite.ts';
import type { LedgerReader } from './ledger-reader.ts';
import { createMissingSidecars } from './sidecars.sqlite.ts';
import { createNetworkVersion } from './upkeep/ledger-units.sqlite.ts';

/** Reads the watermark and entity addresses. */
export function createSqliteLedgerReader(database: SqliteDatabase): LedgerReader {
  const newestEnd = database
    .prepare<[], bigint | null>('select max(consensus_end) from ledger_unit')
    .safeIntegers(true)
    .pluck();
  const edition = database.prepare<[], string>(`select ${EDITION} from ledger_edition`).pluck();
  // A small ledger's newest page loses rows when the oldest are pruned.
  const stamp = database
    .prepare<[], string>(
      `select rewrites || '-' || coalesce((select max(consensus_end) from ledger_unit), '') || '-'
         || coalesce((select min(consensus_ts) from tx), '') from ledger_edition`,
    )
    .pluck();
  const byAddress = prepareEntityByEvmAddress(database);
  const networkVersion = createNetworkVersion(database);
  const missingSidecars = createMissingSidecars(database);
  const anyByAddress = prepareAnyEntityByAddress(database);
  return {
    newestConsensusEnd: () => newestEnd.get() ?? null,
    edition: () => edition.get() ?? '',
    stamp: () => stamp.get() ?? '',
    async entityByEvmAddress(hex) {
      return byAddress(Buffer.from(hex, 'hex'));
    },
    async contractByEvmAddress(hex) {
      return anyByAddress(Buffer.from(hex, 'hex'));
    },
    networkVersion,
    missingSidecars,
  };
}
