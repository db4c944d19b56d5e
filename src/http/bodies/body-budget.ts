import { Shares } from '../client-shares.ts';
import type { ArrivingBody } from './slow-bodies.ts';

/** Bodies up to this size are small: a page of settings, a transaction, most contracts without libraries. */
export const SMALL_BODY_BYTES = 65_536;
const MEDIUM_BODY_BYTES = 1_048_576;
/** How much of the budget a body may fill, by its own size, so that large ones never keep small ones out. */
const SHARE_OF_MEDIUM = 7 / 8;
const SHARE_OF_LARGE = 3 / 4;

/**
 * The bytes of request bodies that a whole server may hold at the same time.
 *
 * @see docs/adr/0010-admission-and-limits.md
 */
export class BodyBudget {
  readonly capacityBytes: number;
  /** Of bodies on their way. */
  readonly shares: Shares<ArrivingBody>;
  #takenBytes = 0;

  constructor(capacityBytes: number) {
    this.capacityBytes = capacityBytes;
    this.shares = new Shares(capacityBytes);
  }

  get takenBytes(): number {
    return this.#takenBytes;
  }

  /**
   * Takes what is about to be held.
   *
   * @param bodyBytes size of the whole body as far as it is known.
   * @returns false when there is no room for a body of that size; nothing is taken then.
   */
  take(bytes: number, bodyBytes: number): boolean {
    if (this.missingFor(bytes, bodyBytes) > 0) return false;
    this.#takenBytes += bytes;
    return true;
  }

  /** How many bytes others would have to give; none when it is not above zero. */
  missingFor(bytes: number, bodyBytes: number): number {
    return this.#takenBytes + bytes - this.capacityBytes * shareOf(bodyBytes);
  }

  /** Whether there would be room if nothing else were held. */
  couldTake(bytes: number, bodyBytes: number): boolean {
    return bytes <= this.capacityBytes * shareOf(bodyBytes);
  }

  give(bytes: number): void {
    this.#takenBytes -= bytes;
  }
}

function shareOf(bodyBytes: number): number {
  if (bodyBytes <= SMALL_BODY_BYTES) return 1;
  return bodyBytes <= MEDIUM_BODY_BYTES ? SHARE_OF_MEDIUM : SHARE_OF_LARGE;
}
