import { prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import { mapMaybe } from '../../values/map-maybe.ts';
import { int64, number, rowTable } from '../../values/row-table.ts';
import type { Work } from '../../values/work.ts';
import { prepareAnyEntityByAddress, prepareEntityByEvmAddress } from './entity-by-address.sql.ts';
import { editionOf } from './ledger-edition.sql.ts';
import { type MissingSidecars, NONE_MISSING } from './sidecars.ts';
import { createNetworkVersion } from './upkeep/ledger-units.sql.ts';

/** Facts about the whole ledger that answers need. Those that pages need are at hand where the database is local. */
export type LedgerReader = ReturnType<typeof createLedgerReader>;

/** Reads the watermark and entity addresses. */
export function createLedgerReader(sql: Sql) {
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
    /** The end of the newest stored unit, nanoseconds; null in an empty ledger. */
    newestConsensusEnd: () =>
      mapMaybe(
        sql.read(() => newestEnd.get()),
        (end) => end ?? null,
      ),
    /** Names the ledger and the number of times that its stored rows were changed. */
    edition: () =>
      mapMaybe(
        sql.read(() => edition.get()),
        (text) => text ?? '',
      ),
    /** Differs after every change of what the newest pages show. */
    stamp: () =>
      mapMaybe(
        sql.read(() => stamp.get()),
        (text) => text ?? '',
      ),
    /**
     * The encoded id of the entity with this EVM address (40 hex digits, lower case); null when nobody has it of whom
     * the ledger knows that they are not deleted.
     */
    async entityByEvmAddress(hex: string) {
      return sql.read(() => byAddress(Buffer.from(hex, 'hex')));
    },
    /** The same, but also a deleted one. */
    async contractByEvmAddress(hex: string) {
      return sql.read(() => anyByAddress(Buffer.from(hex, 'hex')));
    },
    /** Version of the network's API in the newest unit, for example `0.66.0`; null without units and where it names none. */
    networkVersion: () => sql.read(networkVersion),
    /** What is not there of the sidecars that stored record files name. */
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
