import type { Clock } from '../../../values/clock.ts';
import { type Repeat, systemRepeat } from '../../../values/repetition.ts';
import type { JobRepository } from './with-submissions.ts';

/** What the retention works with. */
interface BytecodeRetentionParts {
  readonly repository: JobRepository;
  readonly clock: Clock;
  /** Age at which the bytecodes of a failed job are dropped, milliseconds; null keeps them for ever. */
  readonly keepMs: number | null;
  /** Told when dropping failed; it is tried again later. */
  readonly onFault: (error: unknown) => void;
  /** Default: the timer of the operating system. */
  readonly repeat?: Repeat;
}

const PERIOD_MS = 3_600_000;
/** A row has up to 200 KiB, and other writes may wait for a commit. */
const BATCH_ROWS = 50;

/**
 * Drops the bytecodes of failed jobs when they are old; the job records stay.
 *
 * @see contracts/verification-api.md section 4, "Jobs are kept"
 */
export class BytecodeRetention {
  readonly #parts: BytecodeRetentionParts;
  #stop: (() => Promise<void>) | null = null;
  #sweep: Promise<void> = Promise.resolve();
  #isOpen = false;

  constructor(parts: BytecodeRetentionParts) {
    this.#parts = parts;
  }

  /** Drops what is old now, then once an hour. */
  start(): void {
    const { keepMs, repeat = systemRepeat } = this.#parts;
    if (keepMs === null) return;
    this.#isOpen = true;
    this.#sweep = this.#dropOld(keepMs);
    this.#stop = repeat(() => {
      this.#sweep = this.#sweep.then(() => this.#dropOld(keepMs));
      return this.#sweep;
    }, PERIOD_MS);
  }

  /** Resolves when what was begun has ended. */
  idle(): Promise<void> {
    return this.#sweep;
  }

  /** Ends after the batch that is under way. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#stop?.();
    await this.#sweep;
  }

  /** Never rejects. Other work continues between the batches. */
  async #dropOld(keepMs: number): Promise<void> {
    const { repository, clock, onFault } = this.#parts;
    try {
      for (let dropped = BATCH_ROWS; dropped === BATCH_ROWS && this.#isOpen; ) {
        dropped = await repository.dropBytecodes(clock.now() - keepMs, BATCH_ROWS);
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      onFault(error);
    }
  }
}
