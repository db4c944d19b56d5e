import { EdgeRefusal } from './edge-refusal.ts';

/** Requests that a client may send at once after a pause. @see design/architecture.md section 8 */
const BURST = 40;
/** Clients remembered at once; beyond it the one that was seen first is forgotten, which gives it a new burst. */
const MAX_CLIENTS = 20_000;

interface Allowance {
  left: number;
  at: number;
}

/** Bounds the requests of each client: so many per second, and a burst after a pause. */
export class ClientLimiter {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #allowances = new Map<string, Allowance>();

  /** @param now milliseconds that never go back. */
  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Counts a request. @returns its refusal with the time to wait; null when it may pass. */
  refusalOf(client: string): EdgeRefusal | null {
    const now = this.#now();
    const allowance = this.#allowances.get(client);
    if (allowance === undefined) {
      this.#makeRoom();
      this.#allowances.set(client, { left: BURST - 1, at: now });
      return null;
    }
    const earned = ((now - allowance.at) / 1000) * this.#perSecond;
    allowance.left = Math.min(BURST, allowance.left + earned);
    allowance.at = now;
    if (allowance.left >= 1) {
      allowance.left -= 1;
      return null;
    }
    const seconds = Math.ceil((1 - allowance.left) / this.#perSecond);
    return new EdgeRefusal(
      429,
      `More than ${this.#perSecond} requests per second from this address; try again in ${seconds} s`,
      seconds,
    );
  }

  get clients(): number {
    return this.#allowances.size;
  }

  #makeRoom(): void {
    if (this.#allowances.size < MAX_CLIENTS) return;
    const [oldest] = this.#allowances.keys();
    if (oldest !== undefined) this.#allowances.delete(oldest);
  }
}
