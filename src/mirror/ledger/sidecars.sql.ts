import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import type { MissingSidecars } from './sidecars.ts';

interface MissingRow {
  readonly sidecars: bigint;
  readonly units: bigint;
  readonly first: bigint | null;
  readonly last: bigint | null;
}

/** Reads what is missing; an index holds nothing else, so that it costs nothing in a whole ledger. */
export function createMissingSidecars(sql: Sql): () => Work<MissingSidecars> {
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
