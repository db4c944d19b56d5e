import { timeLimit } from '../../values/time-limit.ts';
import { ChainUnavailableError } from './chain-unavailable-error.ts';

/** Requests for logs of one chain that its nodes serve at the same time, each with a few calls. */
const MAX_AT_ONCE = 4;
const TIMEOUT_MS = 20_000;

/**
 * Bounds what requests for logs take of the nodes of a chain, which verifications need too. A client has no more of them
 * at a time than it leaves to others, and one in any case.
 */
export class LogRequests {
  readonly #timeoutMs: number;
  /** Clients of those that run. */
  readonly #running: string[] = [];

  /** @param timeoutMs for one request, all of its calls together, milliseconds. */
  constructor(timeoutMs = TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  /** @throws ChainUnavailableError when too many run already, or the time is over; the reason of `signal` when that fires. */
  async run<T>(client: string, signal: AbortSignal, request: (limit: AbortSignal) => Promise<T>): Promise<T> {
    if (!this.#hasPlace(client)) {
      const advice = 'Too many requests for logs of this chain at the same time: try again in a few seconds.';
      throw new ChainUnavailableError('eth_getLogs', ['too many requests'], { advice });
    }
    const limit = timeLimit(this.#timeoutMs, signal);
    this.#running.push(client);
    try {
      return await request(limit);
    } catch (error) {
      if (!limit.aborted || signal.aborted) throw error;
      const advice = `Timeout: the logs were not read within ${this.#timeoutMs / 1000} s. Ask for fewer with fromBlock and toBlock.`;
      throw new ChainUnavailableError('eth_getLogs', ['timeout'], { advice });
    } finally {
      this.#running.splice(this.#running.indexOf(client), 1);
    }
  }

  #hasPlace(client: string): boolean {
    const own = this.#running.filter((each) => each === client).length + 1;
    const free = MAX_AT_ONCE - this.#running.length - 1;
    return free >= 0 && (own === 1 || own <= free);
  }
}
