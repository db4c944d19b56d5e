import { setImmediate } from 'node:timers/promises';
import type { Sql } from '../../../storage/sql/sql.ts';
import { NANOS_PER_SECOND } from '../../../values/consensus-timestamp.ts';
import { answer, type Work } from '../../../values/work.ts';
import { LEDGER_FACETS } from '../facets/ledger-facets.ts';
import { createFileCodeKeeper } from '../files/file-code.sql.ts';
import { DROP_LOG_CHUNKS } from '../log-chunks/drop-log-chunks.ts';
import { createTransactionRemover } from './stored-transactions.sql.ts';

/** What was deleted, so far or in the end. */
interface PruneReport {
  readonly transactions: number;
  readonly units: number;
}

interface PruneOptions {
  /** Called after every batch. */
  readonly progress?: (done: PruneReport) => void;
  /** Ends after the batch in hand. */
  readonly signal?: AbortSignal;
}

/** Transactions of one commit: other writers wait no longer than it takes. */
const BATCH = 500;
const RETIRED = LEDGER_FACETS.flatMap(({ retired }) => retired ?? []);
/** What stays of the deleted keeps its place in the order of the network. */
const KEPT = ['network_stake', 'node_stake', 'ledger_publication'];
const NANOS_PER_DAY = 86_400n * NANOS_PER_SECOND;

/** Deletes what is older than an operator wants to keep. */
export type LedgerRetention = ReturnType<typeof createRetention>;

/** Deletes old units of a ledger. */
export function createRetention(sql: Sql, beginUpkeep: () => Work<void> = () => answer(undefined)) {
  return {
    /**
     * Deletes the units that end more than `days` before the end of the newest one, in small batches.
     *
     * The newest unit always stays. Balances with their snapshots, address books, stakes, system files, accounts and
     * contracts stay, with the code that lay in deleted transactions. The next call goes on when one was interrupted.
     *
     * @see contracts/mirror-storage.md section 5 rule 5
     */
    prune: (days: number, options?: PruneOptions) => pruneLedger(sql, beginUpkeep, days, options),
    /** Whether transactions were ever deleted. */
    hasPruned: sql.reading(function* () {
      return (yield* sql.prepare('select 1 from ledger_retention').get()) !== undefined;
    }),
  };
}

async function pruneLedger(
  sql: Sql,
  beginUpkeep: () => Work<void>,
  days: number,
  { progress, signal }: PruneOptions = {},
): Promise<PruneReport> {
  const remover = createTransactionRemover(sql);
  const keepFileCode = createFileCodeKeeper(sql);
  const { greatest } = sql.dialect;
  const lastUnit = sql.prepareExactValue<[bigint], bigint | null>(
    `select max(place) from ledger_unit
     where place < (select max(place) from ledger_unit) - ?`,
  );
  const oldest = sql.prepareExactValue<[bigint, bigint, number], bigint>(
    `select consensus_ts from tx where consensus_ts <= ?
       and not exists (select 1 from tx_place p where p.consensus_ts = tx.consensus_ts and p.place > ?)
     order by consensus_ts limit ?`,
  );
  /** Transactions of later units, whose times step back. */
  const kept = sql.prepareExactValue<[bigint, bigint, bigint], bigint>(
    'select consensus_ts from tx_place where consensus_ts between ? and ? and place > ? order by consensus_ts',
  );
  const removeUnits = sql.prepare<[bigint]>('delete from ledger_unit where place <= ?');
  const retire = RETIRED.map((table) =>
    sql.prepare<[bigint, bigint]>(`delete from ${table} where consensus_ts between ? and ?`),
  );
  const dropChunks = sql.prepare<[bigint]>(DROP_LOG_CHUNKS.upTo);
  const removePlaces = sql.prepare<[bigint, bigint]>(
    `delete from tx_place where consensus_ts between ? and ?${KEPT.map(
      (table) => ` and not exists (select 1 from ${table} k where k.consensus_ts = tx_place.consensus_ts)`,
    ).join('')}`,
  );
  const removeStated = ['stated_balance', 'opening_state'].map((table) =>
    sql.prepare<[bigint]>(`delete from ${table} where place <= ?`),
  );
  const removeSidecars = sql.prepare<[bigint]>('delete from sidecar where place <= ?');
  const remember = sql.prepare(
    `insert into ledger_retention (only_row, deleted_before) values (1, ?)
     on conflict (only_row) do update set deleted_before = ${greatest('ledger_retention.deleted_before', 'excluded.deleted_before')}`,
  );

  const last = (await sql.read(() => lastUnit.get(BigInt(days) * NANOS_PER_DAY))) ?? null;
  let done: PruneReport = { transactions: 0, units: 0 };
  if (last === null) return done;
  while (signal?.aborted !== true) {
    const removed = await sql.write(function* () {
      yield* beginUpkeep();
      yield* remember.run(last + 1n);
      const batch = yield* oldest.all(last, last, BATCH);
      const [first, newest] = [batch[0], batch.at(-1)];
      if (first !== undefined && newest !== undefined) {
        yield* keepFileCode(first, newest);
        yield* dropChunks.run(newest);
        for (const [from, to] of spansWithout(yield* kept.all(first, newest, last), first, newest)) {
          yield* remover.remove(from, to);
          yield* removePlaces.run(from, to);
          for (const statement of retire) yield* statement.run(from, to);
        }
        yield* removeSidecars.run(newest);
      }
      // A unit goes with the last of its transactions, so that an interrupted run finds the rest.
      const isDone = batch.length < BATCH;
      const units = isDone ? (yield* removeUnits.run(last)).changes : 0;
      if (isDone) {
        yield* removeSidecars.run(last);
        for (const statement of removeStated) yield* statement.run(last);
      }
      return { transactions: batch.length, units };
    });
    done = { transactions: done.transactions + removed.transactions, units: done.units + removed.units };
    progress?.(done);
    if (removed.transactions < BATCH) break;
    await setImmediate();
  }
  return done;
}

/** The spans between times, the first and the last of all included. */
function spansWithout(
  times: readonly bigint[],
  first: bigint,
  last: bigint,
): readonly (readonly [from: bigint, to: bigint])[] {
  const begins = [first, ...times.map((time) => time + 1n)];
  const ends = [...times.map((time) => time - 1n), last];
  return begins.map((from, index) => [from, ends[index] ?? last] as const).filter(([from, to]) => from <= to);
}
