import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { MissingSidecars } from './sidecars.ts';

interface MissingRow {
  readonly sidecars: bigint;
  readonly units: bigint;
  readonly first: bigint | null;
  readonly last: bigint | null;
}

/** Reads what is missing; an index holds nothing else, so that it costs nothing in a whole ledger. */
export function createMissingSidecars(database: SqliteDatabase): () => MissingSidecars {
  const missing = database
    .prepare<[], MissingRow>(
      `select count(*) as sidecars, count(distinct consensus_end) as units, min(consensus_end) as first,
         max(consensus_end) as last
       from sidecar where contents is null`,
    )
    .safeIntegers(true);
  return () => {
    const { first = null, last = null, sidecars = 0n, units = 0n } = missing.get() ?? {};
    return { sidecars: Number(sidecars), units: Number(units), first, last };
  };
}
