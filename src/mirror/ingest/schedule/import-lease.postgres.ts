import type { Sql } from '../../../storage/sql/sql.ts';
import { StorageBusyError } from '../../../values/storage-errors.ts';
import type { Work } from '../../../values/work.ts';
import { type Pause, systemPause } from '../pause.ts';
import type { ImportLock } from './import-lock.ts';

export interface ImportLeaseOptions {
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
export interface PostgresImportLease {
  readonly lock: ImportLock;
  /**
   * The first work of each commit of units: holds the lease until the commit ends.
   *
   * @throws StorageBusyError when another process imports: this one lost its lease, or never had it.
   */
  readonly check: () => Work<void>;
  /** The first work of what changes stored units, whoever imports: no commit of units goes on beside it. */
  readonly hold: () => Work<void>;
}

const LEASE_MS = 15_000;
/** Of the database: the one clock that all processes have. */
const NOW = 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';
/** A process that is held up in the middle of a commit loses its connection, and with it the lock on the lease. */
const IDLE_COMMIT_MS = 10_000;

interface LeaseRow {
  readonly token: bigint;
  readonly isHeld: bigint;
}

/** @see docs/adr/0086-one-importer-at-a-time.md */
export function createPostgresImportLease(
  sql: Sql,
  { owner, leaseMs = LEASE_MS, heartbeatMs = leaseMs / 4, pause = systemPause }: ImportLeaseOptions,
): PostgresImportLease {
  // Does not wait for a commit that holds the row: whoever commits is alive.
  const take = sql
    .prepare<[string, number], bigint>(
      `update import_lease set token = token + 1, owner = ?, until_ms = ${NOW} + ? where only_row =
         (select only_row from import_lease where owner is null or until_ms <= ${NOW} for update skip locked)
       returning token`,
    )
    .safeIntegers(true)
    .pluck();
  const prolong = sql.prepare<[number, bigint]>(
    `update import_lease set until_ms = ${NOW} + ? where token = ? and owner is not null`,
  );
  const giveBack = sql.prepare<[bigint]>('update import_lease set owner = null where token = ?');
  const held = sql
    .prepare<[string], LeaseRow>(
      `select token, owner is not null and until_ms > ${NOW} as isHeld,
         set_config('idle_in_transaction_session_timeout', ?, true) as limit_of_commit
       from import_lease for update`,
    )
    .safeIntegers(true);
  // What is changed all at once takes its time.
  const holdRow = sql.prepare(
    `select set_config('statement_timeout', '0', true) from import_lease for update`,
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

  return {
    lock: {
      async take() {
        if (ours !== null) return null;
        const token = await sql.write(() => take.get(owner, leaseMs));
        if (token === undefined) return null;
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
      const row = yield* held.get(String(IDLE_COMMIT_MS));
      const isFree = ours === null ? row?.isHeld !== 1n : row?.token === ours;
      if (isFree) return;
      const reason = ours === null ? 'another server imports' : 'another server took over the import';
      throw new StorageBusyError(reason, { isTold: false });
    },
    *hold() {
      yield* holdRow.get();
    },
  };
}
