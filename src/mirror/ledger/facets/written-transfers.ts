import { decodeEntityId, type EntityId } from '../../../values/entity-id.ts';
import { padded, trimmed } from '../../evm/bytes.ts';
import { EVENT } from '../../evm/log-topics.ts';
import { unsignedOf } from '../../evm/quantities.ts';
import type { ResolveAlias } from '../../items/ledger-ids.ts';
import { entityOfLongZero } from '../../vocabulary/long-zero-address.ts';
import type { EvmUnit, LogDraft } from './evm-order.ts';
import type { TokenEvent } from './token-events.ts';

const ADDRESS_LENGTH = 20;
const INT64_BYTES = 8;
/** The event, two parties; NFTs have one more. */
const FUNGIBLE_TOPICS = 3;

/** The transfers of fungible tokens that contracts logged themselves, by the place of the item. */
export class WrittenTransfers {
  readonly #unit: Pick<EvmUnit, 'resolve'>;
  readonly #written: readonly (readonly LogDraft[])[];
  /** How many are left of each; counted when first needed. */
  #left: Map<string, number> | null = null;

  constructor(unit: Pick<EvmUnit, 'resolve'>, written: readonly (readonly LogDraft[])[]) {
    this.#unit = unit;
    this.#written = written;
  }

  /** Whether a transfer was logged at one of the places. Each log is that of one transfer. */
  take({ amount, from, to, token }: TokenEvent, places: readonly number[]): boolean {
    this.#left ??= this.#count();
    for (const place of places) {
      const key = `${place} ${token} ${from} ${to} ${amount}`;
      const left = this.#left.get(key) ?? 0;
      if (left === 0) continue;
      this.#left.set(key, left - 1);
      return true;
    }
    return false;
  }

  #count(): Map<string, number> {
    const left = new Map<string, number>();
    for (const { contract, data, place, topics } of this.#written.flatMap((logs, place) =>
      logs.map((log) => ({ ...log, place })),
    )) {
      const [event, sender, receiver] = topics.map((topic) => topic ?? new Uint8Array());
      if (topics.length !== FUNGIBLE_TOPICS || !event || !sender || !receiver) continue;
      if (Buffer.compare(event, EVENT.transfer) !== 0) continue;
      const [from, to] = [sender, receiver].map((topic) => partyOf(topic, contract, this.#unit.resolve));
      const amount = trimmed(data ?? new Uint8Array());
      // Somebody unknown, or more than any record moves: no transfer of a record is the same.
      if (from === undefined || to === undefined || amount.length > INT64_BYTES) continue;
      const key = `${place} ${contract} ${from} ${to} ${unsignedOf(amount)}`;
      left.set(key, (left.get(key) ?? 0) + 1);
    }
    return left;
  }
}

/** Who an address in a topic is: null for nobody, undefined for somebody who is not known. */
function partyOf(topic: Uint8Array, token: EntityId, resolve: ResolveAlias): EntityId | null | undefined {
  const cut = trimmed(topic);
  if (cut.length === 0) return null;
  if (cut.length > ADDRESS_LENGTH) return undefined;
  const address = padded(cut, ADDRESS_LENGTH);
  return entityOfLongZero(address, decodeEntityId(token)) ?? resolve(address) ?? undefined;
}
