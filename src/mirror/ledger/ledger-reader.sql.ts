import type { Sql } from '../../storage/sql/sql.ts';
import { andThen } from '../../values/and-then.ts';
import type { Work } from '../../values/work.ts';
import { prepareAnyEntityByAddress, prepareEntityByEvmAddress } from './entity-by-address.sql.ts';
import { editionOf } from './ledger-edition.sql.ts';
import type { LedgerReader } from './ledger-reader.ts';
import type { MissingSidecars } from './sidecars.ts';
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

interface MissingRow {
  readonly sidecars: bigint;
  readonly units: bigint;
  readonly first: bigint | null;
  readonly last: bigint | null;
}

/** Reads what is missing; an index holds nothing else, so that it costs nothing in a whole ledger. */
function createMissingSidecars(sql: Sql): () => Work<MissingSidecars> {
  const missing = sql.prepareExact<[], MissingRow>(
    `select count(*) as sidecars, count(distinct place) as units, min(place) as first,
       max(place) as last
     from sidecar where contents is null`,
  );
  return function* () {
    const { first = null, last = null, sidecars = 0n, units = 0n } = (yield* missing.get()) ?? {};
    return { sidecars: Number(sidecars), units: Number(units), first, last };
  };
}
