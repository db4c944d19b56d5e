import { prepareSelect } from '../../storage/sql/row-table.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { andThen } from '../../values/and-then.ts';
import { int64, number, rowTable } from '../../values/row-table.ts';
import type { Work } from '../../values/work.ts';
import { prepareAnyEntityByAddress, prepareEntityByEvmAddress } from './entity-by-address.sql.ts';
import { editionOf } from './ledger-edition.sql.ts';
import type { LedgerReader } from './ledger-reader.ts';
import { type MissingSidecars, NONE_MISSING } from './sidecars.ts';
import { createNetworkVersion } from './upkeep/ledger-units.sql.ts';

/** Reads the watermark and entity addresses. */
export function createLedgerReader(sql: Sql): LedgerReader {
  // The last unit that stands at its own end has the greatest one: others stand behind the end of one before them.
  const newestEnd = sql.prepareExactValue<[], bigint>(
    'select consensus_end from ledger_unit where consensus_end = place order by place desc limit 1',
  );
  const edition = sql.prepareValue<[], string>(`select ${editionOf(sql.dialect)} from ledger_edition`);
  // A small ledger's newest page loses rows and blocks when the oldest are pruned.
  const stamp = sql.prepareValue<[], string>(
    `select cast(rewrites as text) || '-' || coalesce(cast((select max(place) from ledger_unit) as text), '') || '-'
     || coalesce(cast((select min(consensus_ts) from tx) as text), '') || '-'
     || coalesce(cast((select min(place) from ledger_unit) as text), '') from ledger_edition`,
  );
  const byAddress = prepareEntityByEvmAddress(sql);
  const networkVersion = createNetworkVersion(sql);
  const missingSidecars = createMissingSidecars(sql);
  const anyByAddress = prepareAnyEntityByAddress(sql);
  return {
    newestConsensusEnd: () =>
      andThen(
        sql.read(() => newestEnd.get()),
        (end) => end ?? null,
      ),
    edition: () =>
      andThen(
        sql.read(() => edition.get()),
        (text) => text ?? '',
      ),
    stamp: () =>
      andThen(
        sql.read(() => stamp.get()),
        (text) => text ?? '',
      ),
    async entityByEvmAddress(hex) {
      return sql.read(() => byAddress(Buffer.from(hex, 'hex')));
    },
    async contractByEvmAddress(hex) {
      return sql.read(() => anyByAddress(Buffer.from(hex, 'hex')));
    },
    networkVersion: () => sql.read(networkVersion),
    missingSidecars: () => sql.read(missingSidecars),
  };
}

const MISSING = rowTable<MissingSidecars>({
  sidecars: number('count(*) as sidecars'),
  units: number('count(distinct place) as units'),
  first: int64('min(place) as first'),
  last: int64('max(place) as last'),
});

/** Reads what is missing; an index holds nothing else, so that it costs nothing in a whole ledger. */
function createMissingSidecars(sql: Sql): () => Work<MissingSidecars> {
  const missing = prepareSelect(sql, MISSING, 'from sidecar where contents is null');
  return function* () {
    return (yield* missing.find()) ?? NONE_MISSING;
  };
}
