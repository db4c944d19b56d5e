import type pg from 'pg';
import type { Log } from '../../values/log.ts';
import { WORKING_WRITES, type WriteState } from '../write-state.ts';
import { type DatabaseClock, NOW_COLUMN } from './database-clock.ts';
import { postgresStorageError } from './postgres-errors.ts';

const BEAT_MS = 1_000;
/** Any answer takes less while requests can be answered. */
const SILENT_MS = 3_000;
const OUTGROWN =
  'a newer Ledgerlens has changed its schema, which this one can no longer use: upgrade this server too';

export interface PulseParts {
  readonly pool: pg.Pool;
  /** Set by each answer. */
  readonly clock: DatabaseClock;
  /** The version of the schema that this build knows. */
  readonly schemaVersion: number;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Milliseconds. Default 1000. */
  readonly everyMs?: number;
  /** Without an answer for so long it counts as gone, milliseconds. Default 3000. */
  readonly silentMs?: number;
}

/**
 * Asks the database now and then whether it is there and takes writes, so that it is known before somebody writes.
 *
 * A process that does not reach it can neither read nor write: others shall get its requests. So shall those of one
 * that is older than the schema serves: what it would read and write nobody knows.
 */
export class PostgresPulse {
  readonly #parts: PulseParts;
  readonly #timer: NodeJS.Timeout;
  #isAsking = false;
  #isClockWrong = false;
  #state: WriteState = WORKING_WRITES;
  #refusal: string | null = null;

  constructor(parts: PulseParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#ask(), parts.everyMs ?? BEAT_MS);
    this.#timer.unref();
  }

  get state(): WriteState {
    return this.#state;
  }

  /** Why nothing may be read and written any more; null while it may. */
  get refusal(): string | null {
    return this.#refusal;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const { clock, log, pool, silentMs = SILENT_MS } = this.#parts;
      const { is_read_only: isReadOnly = false, serves = 0 } =
        (await clock.setBy(() =>
          pool.query<{ readonly is_read_only: boolean; readonly serves: string; readonly now_ms: string }>({
            text: `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only,
               (select max(serves) from schema_version) as serves, ${NOW_COLUMN}`,
            query_timeout: silentMs,
          } as pg.QueryConfig),
        )) ?? {};
      if (clock.warning !== null && !this.#isClockWrong) log.warn({ aheadMs: clock.aheadMs }, clock.warning);
      this.#isClockWrong = clock.warning !== null;
      this.#refusal = Number(serves) > this.#parts.schemaVersion ? OUTGROWN : null;
      if (this.#refusal !== null) this.#tell({ writes: 'refused', reason: this.#refusal });
      else this.#tell(isReadOnly ? { writes: 'failing', reason: 'it is read-only' } : WORKING_WRITES);
    } catch (error) {
      const reason = postgresStorageError(error)?.reason ?? 'it does not respond';
      this.#tell({ writes: 'refused', reason });
    } finally {
      this.#isAsking = false;
    }
  }

  #tell(state: WriteState): void {
    if (state.writes === this.#state.writes && state.reason === this.#state.reason) return;
    this.#state = state;
    const { log } = this.#parts;
    if (state.reason === null) log.info({}, 'the database accepts writes again');
    else log.warn({ writes: state.writes }, `the database does not accept writes: ${state.reason}`);
  }
}
