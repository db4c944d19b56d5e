import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../values/clock.ts';
import type { Repeat, StartTimer } from '../../values/repetition.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { AttemptResult, Delivery, DeliveryQueue } from './delivery-queue.ts';
import type { SendDelivery } from './send-delivery.ts';

/** How often the queue is looked at for retries and for what other processes wrote. */
export const LOOK_MS = 1_000;
/** An answer must come within that. @see contracts/status.md section 11 */
export const ANSWER_MS = 10_000;
/** How long requests under way may take when the server stops; what is cut off is sent again at the next start. */
export const FAREWELL_MS = 2_000;
/** The wait before an end is stored again while the queue is busy. */
const BUSY_MS = 250;
/** Subscribers that are served at a time: so many may hang before the others wait for them. */
const LANES = 64;

interface DeliveryWorkerParts {
  readonly queue: DeliveryQueue;
  readonly send: SendDelivery;
  readonly clock: Clock;
  readonly repeat: Repeat;
  readonly startTimer: StartTimer;
  /** Tells this process from all others that share the database. */
  readonly owner: string;
  readonly metrics: Pick<DeliveryMetrics, 'attemptEnded'>;
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
}

/** What stands for the answer of a queue that is busy. */
const BUSY = Symbol('busy');

/** Why an attempt failed, in words for the log. */
type Failure = string;

/**
 * Sends what is due: to each subscriber one delivery after the other, to many subscribers at a time.
 *
 * @see docs/adr/0023-status-page.md
 */
export class DeliveryWorker {
  readonly #parts: DeliveryWorkerParts;
  /** What is under way, by subscriber. */
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #sending = new Set<AbortController>();
  #stop: (() => Promise<void>) | null = null;
  #filling: Promise<void> | null = null;
  #isWanted = false;

  constructor(parts: DeliveryWorkerParts) {
    this.#parts = parts;
  }

  /** Begins with what is due now. */
  start(): void {
    this.#stop = this.#parts.repeat(async () => this.wake(), LOOK_MS);
    this.wake();
  }

  /** Looks whether something is due. Does nothing before the start and after the end. */
  wake(): void {
    if (this.#stop === null) return;
    this.#isWanted = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = null;
      // Called for between the last look and here; when all lanes are taken, the next free one looks.
      if (this.#isWanted && this.#lanes.size < LANES) this.wake();
    });
  }

  /** Resolves when nothing is under way; what failed is due again later. */
  async settled(): Promise<void> {
    while (this.#filling !== null || this.#lanes.size > 0) {
      await this.#filling;
      await Promise.all(this.#lanes.values());
    }
  }

  /** Ends after the requests that are under way, which get a moment; they are repeated if that is too short. */
  async close(): Promise<void> {
    const stop = this.#stop;
    if (stop === null) return;
    this.#stop = null;
    await stop();
    await this.#filling;
    const cancel = this.#parts.startTimer(() => {
      for (const sending of this.#sending) sending.abort();
    }, FAREWELL_MS);
    await Promise.all(this.#lanes.values());
    cancel();
    await this.#guarded('deliveries could not be released', async () => {
      // Left out while the queue is busy: the leases end by themselves.
      await unlessBusy(this.#parts.queue.release(this.#parts.owner));
    });
  }

  async #fill(): Promise<void> {
    const { queue, owner, clock } = this.#parts;
    await this.#guarded('deliveries could not be read', async () => {
      while (this.#isWanted && this.#stop !== null && this.#lanes.size < LANES) {
        this.#isWanted = false;
        // A lease may have ended by a jump of the clock while this process still sends.
        const served = [...this.#lanes.keys()];
        const leased = await unlessBusy(queue.lease(owner, clock.now(), LANES - this.#lanes.size, served));
        // The next look comes soon.
        if (leased === BUSY) return;
        for (const delivery of leased) this.#serve(delivery);
      }
    });
  }

  #serve(first: Delivery): void {
    const lane = this.#guarded('a delivery could not be stored', async () => {
      let delivery: Delivery | null = first;
      while (delivery !== null && this.#stop !== null) delivery = await this.#deliver(delivery);
    }).then(() => {
      this.#lanes.delete(first.subscriberId);
      // After a fault the lease runs on, so that nothing is sent in a tight circle.
      this.wake();
    });
    this.#lanes.set(first.subscriberId, lane);
  }

  /** @returns the next one to the same subscriber. */
  async #deliver(delivery: Delivery): Promise<Delivery | null> {
    const failure = await this.#attempt(delivery);
    if (failure === 'interrupted') return null;
    const { queue, owner, clock } = this.#parts;
    const now = clock.now();
    const result: AttemptResult =
      failure === null
        ? { kind: 'delivered' }
        : { kind: 'failed', nextAt: nextAttemptAt(delivery.attempts + 1, now) };
    let next = await unlessBusy(queue.settle(owner, delivery, result, now));
    while (next === BUSY) {
      if (this.#stop === null) return null;
      await new Promise<void>((resolve) => void this.#parts.startTimer(resolve, BUSY_MS));
      next = await unlessBusy(queue.settle(owner, delivery, result, now));
    }
    this.#tell(delivery, result, failure);
    return next;
  }

  /** @returns null: it was delivered; `interrupted`: the server stops and nobody knows. */
  async #attempt(delivery: Delivery): Promise<Failure | 'interrupted' | null> {
    const { send, startTimer } = this.#parts;
    const sending = new AbortController();
    let isLate = false;
    const cancel = startTimer(() => {
      isLate = true;
      sending.abort();
    }, ANSWER_MS);
    this.#sending.add(sending);
    try {
      return await send(delivery, sending.signal);
    } catch (error) {
      // Whatever kept the answer away: refused addresses, names, connections, certificates.
      if (isLate) return `no response within ${ANSWER_MS / 1000} s`;
      if (sending.signal.aborted) return 'interrupted';
      return describeFailure(error);
    } finally {
      cancel();
      this.#sending.delete(sending);
    }
  }

  /** Endpoints often hold keys, so the log names subscribers by their id alone. */
  #tell(delivery: Delivery, result: AttemptResult, reason: Failure | null): void {
    const { log, metrics } = this.#parts;
    if (result.kind === 'delivered') {
      metrics.attemptEnded('delivered');
      return;
    }
    const { id, subscriberId: subscriber, attempts } = delivery;
    const fields = { delivery: id, subscriber, attempt: attempts + 1, reason };
    if (result.nextAt === null) {
      metrics.attemptEnded('given_up');
      log.error(fields, 'gave up a delivery to a subscriber');
    } else {
      metrics.attemptEnded('failed');
      const nextAt = new Date(result.nextAt).toISOString();
      log.warn({ ...fields, nextAt }, 'a delivery to a subscriber failed and will be retried');
    }
  }

  /** Nobody waits for this work; what is due stays due. */
  async #guarded(text: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      // The database may be gone for a while.
      this.#parts.log.error({ err }, text);
    }
  }
}

const MAX_REASON_LENGTH = 200;

/** Several addresses that all fail give an error without a text of its own. */
function describeFailure(error: unknown): Failure {
  const { message = '', code = '' } = error as { readonly message?: string; readonly code?: string };
  return (message || String(code) || String(error)).slice(0, MAX_REASON_LENGTH);
}

async function unlessBusy<T>(work: Promise<T>): Promise<T | typeof BUSY> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageBusyError) return BUSY;
    throw error;
  }
}

const MINUTE_MS = 60_000;

/** Waits after the first, second … failed attempt. @see contracts/status.md section 11 */
const RETRY_WAITS_MS = [1, 5, 30, 120, 720].map((minutes) => minutes * MINUTE_MS);

/**
 * When to try again.
 *
 * @param failures attempts that failed, the one that just ended included.
 * @returns UTC milliseconds; null: it is given up.
 */
function nextAttemptAt(failures: number, now: number): number | null {
  const wait = RETRY_WAITS_MS[failures - 1];
  return wait === undefined ? null : now + wait;
}
