import { NANOS_PER_MILLISECOND } from '../../values/consensus-timestamp.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { Work } from '../../values/work.ts';
import type { Sql } from '../sql/sql.ts';

/** Nanoseconds of a partition: 90 days. */
const SPAN = 90n * 86_400n * 1_000_000_000n;
interface PartitionRow {
  readonly name: string;
  /** Whether the transaction that asks has made it, which may still be rolled back. */
  readonly isNew: number;
}

/** The partitions that times fall into, by their begins. */
export class PartitionBegins {
  readonly #begins = new Set<bigint>();
  #newest: bigint | null = null;

  add(time: bigint): void {
    if (this.#newest !== null && time >= this.#newest && time < this.#newest + SPAN) return;
    this.#newest = time - (((time % SPAN) + SPAN) % SPAN);
    this.#begins.add(this.#newest);
  }

  get all(): Iterable<bigint> {
    return this.#begins;
  }
}

/**
 * Makes partitions that are not there, in the transaction that stores rows in them.
 *
 * @returns what is called with a table that is partitioned by a time in nanoseconds.
 * @see docs/adr/0008-postgresql.md
 */
export function createPartitions(
  sql: Pick<Sql, 'prepare'>,
): (table: string, begins: PartitionBegins) => Work<void> {
  const find = sql.prepare<[string], PartitionRow>(
    `select relname as name, xmin = cast(pg_current_xact_id() as xid) as isNew from pg_class
     where oid = to_regclass(?)`,
  );
  const known = new Set<string>();
  return function* (table, begins) {
    for (const begin of begins.all) {
      const name = `${table}_${dateOf(begin)}`;
      if (known.has(name)) continue;
      const found = yield* find.get(name);
      if (found === undefined) yield* sql.prepare(creation(table, name, begin)).run();
      else if (found.isNew === 0) known.add(name);
    }
  };
}

/** Attaching lets readers go on, other than `create table … partition of`. */
function creation(table: string, name: string, begin: bigint): string {
  const end = begin + SPAN;
  const from = begin < MIN_INT64 ? 'minvalue' : begin;
  const to = end > MAX_INT64 ? 'maxvalue' : end;
  return `do $$ begin
    create table ${name} (like ${table} including defaults including constraints);
    alter table ${table} attach partition ${name} for values from (${from}) to (${to});
  end $$`;
}

/** The day on which it begins. */
function dateOf(begin: bigint): string {
  return new Date(Number(begin / NANOS_PER_MILLISECOND)).toISOString().slice(0, 10).replaceAll('-', '');
}
