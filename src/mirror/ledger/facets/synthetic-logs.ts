import type { EntityId } from '../../../values/entity-id.ts';
import { pooledBytes } from '../../../values/pooled-bytes.ts';
import { bloomOf } from '../../evm/bloom.ts';
import { trimmed } from '../../evm/bytes.ts';
import { EVENT } from '../../evm/log-topics.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import type { EvmUnit, LogDraft } from './evm-order.ts';
import { hasTokenEvents, type TokenEvent, tokenEvents } from './token-events.ts';
import { WrittenTransfers } from './written-transfers.ts';

const NO_BYTES = new Uint8Array();
const NO_LOGS: readonly LogDraft[] = [];
/** Where an event has no amount. */
const NO_AMOUNT = Uint8Array.of(0);

/**
 * Makes the logs that stand for events of tokens, as if the token were a contract that logs.
 *
 * What a contract did with tokens is logged by itself: there only transfers of fungible tokens that it did not log get
 * one.
 *
 * @param written the logs of contracts
 * @returns both by the place of the item
 * @see contracts/mirror-contracts.md section 11.6
 */
export function syntheticLogs(
  unit: EvmUnit,
  written: readonly (readonly LogDraft[])[],
): readonly (readonly LogDraft[])[] {
  const { contractParents, evmAddress, isSuccessful, items, resolveAt, results } = unit;
  const transfers = new WrittenTransfers(unit, written);
  return items.map((item, place) => {
    if (!hasTokenEvents(item) || !isSuccessful(item)) return NO_LOGS;
    const events = tokenEvents(item, resolveAt(item));
    const parent = contractParents[place] ?? null;
    const places = parent === null ? [place] : [place, parent];
    const shown =
      results[place] == null ? events : events.filter((event) => isUnlogged(event, transfers, places));
    return shown.map((event) => logOf(event, evmAddress));
  });
}

function isUnlogged(event: TokenEvent, transfers: WrittenTransfers, places: readonly number[]): boolean {
  return event.event === 'transfer' && event.serial === null && !transfers.take(event, places);
}

function logOf(
  { amount, event, from, serial, to, token }: TokenEvent,
  addressOf: EvmUnit['evmAddress'],
): LogDraft {
  const partyTopic = (party: EntityId | null) =>
    party === null ? NO_BYTES : trimmed(addressOf(party) ?? longZeroOf(party));
  const topics = [EVENT[event], partyTopic(from), partyTopic(to)];
  if (serial !== null) topics.push(trimmed(int64(serial)));
  return {
    contract: token,
    rootContract: token,
    topics,
    data: dataOf(amount),
    bloom: bloomOf(addressOf(token) ?? longZeroOf(token), topics),
  };
}

function dataOf(amount: TokenEvent['amount']): Uint8Array {
  if (amount === null) return NO_AMOUNT;
  return typeof amount === 'boolean' ? Uint8Array.of(amount ? 1 : 0) : int64(amount);
}

/** In two's complement: serial number −1 is eight bytes ff. */
function int64(value: bigint): Uint8Array {
  const bytes = pooledBytes(8);
  new DataView(bytes.buffer, bytes.byteOffset).setBigInt64(0, value);
  return bytes;
}
