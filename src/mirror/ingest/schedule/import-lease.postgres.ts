import { DATABASE_NOW as NOW, type Sql } from '../../../storage/sql/sql.ts';
import { StorageBusyError } from '../../../values/storage-errors.ts';
import type { Work } from '../../../values/work.ts';
import { type Pause, systemPause } from '../pause.ts';
import type { ImportLock } from './import-lock.ts';

interface ImportLeaseOptions {
  /** Names this process, as no other one is named. */
  readonly owner: string;
  /** Without a sign of life for so long another process takes over. Default 15 000. */
  readonly leaseMs?: number;
  /** From one sign of life to the next. Default a quarter of the lease. */
  readonly heartbeatMs?: number;
  /** Waits between two signs of life. Default a timer. */
  readonly pause?: Pause;
}

/** The right of one process to import into a ledger in PostgreSQL. */
interface PostgresImportLease {
  readonly lock: ImportLock;
  /**
   * The first work of each commit of units: holds the fence until the commit ends.
   *
   * @throws StorageBusyError when another process imports: this one lost its lease, or never had it.
   */
  readonly check: () => Work<void>;
  /** The first work of what changes stored units, whoever imports: no commit of units goes on beside it. */
  readonly hold: () => Work<void>;
}

const LEASE_MS = 15_000;
/** A process that is held up in the middle of a commit loses its connection, and with it the lock on the fence. */
const IDLE_COMMIT_MS = 10_000;

/** Names the locks of commits among those of the database; the second key is the token. */
const COMMITS = 771_086;
/** Of a commit outside an import. */
const NO_TOKEN = 0n;

interface LeaseRow {
  readonly token: bigint;
  /** Whether its holder gave no sign of life. */
  readonly isOver: bigint;
  readonly isHeld: bigint;
}

/** @see docs/adr/0009-replicas-and-leases.md */
export function createPostgresImportLease(
  sql: Sql,
  { owner, leaseMs = LEASE_MS, heartbeatMs = leaseMs / 4, pause = systemPause }: ImportLeaseOptions,
): PostgresImportLease {
  const lease = sql.prepareExact<[], LeaseRow>(
    `select token, case when owner is not null and until_ms <= ${NOW} then 1 else 0 end as "isOver",
     case when owner is not null and until_ms > ${NOW} then 1 else 0 end as "isHeld" from import_lease`,
  );
  // Neither waits: not for a commit that is under way, nor for others who ask.
  const lockFence = sql.prepareValue<[], bigint>('select token from import_fence for update skip locked');
  const take = sql.prepareExactValue<[string, number], bigint>(
    `update import_lease set token = token + 1, owner = ?, until_ms = ${NOW} + ? where only_row =
       (select only_row from import_lease where owner is null or until_ms <= ${NOW} for update skip locked)
     returning token`,
  );
  const raiseFence = sql.prepare<[bigint]>('update import_fence set token = ?');
  const endCommitsUpTo = sql.prepare<[bigint]>(
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and granted and classid = ${COMMITS} and objsubid = 2 and objid::bigint between 1 and ?
       and database = (select oid from pg_database where datname = current_database())`,
  );
  const prolong = sql.prepare<[number, bigint]>(
    `update import_lease set until_ms = ${NOW} + ? where token = ? and owner is not null`,
  );
  const giveBack = sql.prepare<[bigint]>('update import_lease set owner = null where token = ?');
  const lockForCommit = sql.prepareExactValue<[string, bigint], bigint>(
    `select token, set_config('idle_in_transaction_session_timeout', ?, true) as limit_of_commit,
       pg_advisory_xact_lock_shared(${COMMITS}, cast(? as integer)) as mark
     from import_fence for update`,
  );
  // What is changed all at once takes its time.
  const holdRow = sql.prepare(
    `select set_config('statement_timeout', '0', true) from import_fence for update`,
  );
  let ours: bigint | null = null;

  const keepAlive = async (token: bigint, signal: AbortSignal): Promise<void> => {
    for (let isOurs = true; isOurs; ) {
      await pause(heartbeatMs, signal);
      if (signal.aborted) return;
      // What keeps the database from answering may pass before the lease ends; commits check it all the same.
      isOurs = await sql
        .write(() => prolong.run(leaseMs, token))
        .then(
          ({ changes }) => changes > 0,
          () => true,
        );
    }
  };

  /** Null while somebody else has it, or still commits. */
  function* takeFromWhoeverIsGone(): Work<bigint | null> {
    const former = yield* lease.get();
    if (former?.isHeld === 1n) return null;
    if ((yield* lockFence.get()) === undefined) {
      // A commit of a holder who gave no sign of life stands still, maybe inside a COPY, which no limit of the database
      // ends; the next attempt finds the fence free. What changes stored units is no such commit and is waited for.
      if (former?.isOver === 1n) yield* endCommitsUpTo.all(former.token);
      return null;
    }
    const token = (yield* take.get(owner, leaseMs)) ?? null;
    if (token !== null) yield* raiseFence.run(token);
    return token;
  }

  return {
    lock: {
      async take() {
        if (ours !== null) return null;
        const token = await sql.write(takeFromWhoeverIsGone);
        if (token === null) return null;
        ours = token;
        const ending = new AbortController();
        const alive = keepAlive(token, ending.signal);
        return {
          async release() {
            ending.abort();
            await alive;
            if (ours === token) ours = null;
            // When that fails, or the lease is another's already, it ends by itself.
            await sql.write(() => giveBack.run(token)).catch(() => undefined);
          },
        };
      },
    },
    *check() {
      const token = yield* lockForCommit.get(String(IDLE_COMMIT_MS), ours ?? NO_TOKEN);
      if (ours === null) {
        // Asked after the fence is locked: who took the lease meanwhile is seen.
        if ((yield* lease.get())?.isHeld === 1n) throw taken('another server is importing');
      } else if (token !== ours) throw taken('another server took over the import');
    },
    *hold() {
      yield* holdRow.get();
    },
  };
}

function taken(reason: string): StorageBusyError {
  return new StorageBusyError(reason, { isTold: false });
}
