import type { EntityId } from '../../../values/entity-id.ts';
import { bloomOf } from '../../evm/bloom.ts';
import { trimmed } from '../../evm/bytes.ts';
import { EVENT } from '../../evm/log-topics.ts';
import { placesOf } from '../../items/decoded-item.ts';
import { evmHash } from '../../items/evm-hash.ts';
import { functionResult } from '../../items/function-result.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import type { ContractLog } from './contract-logs.ts';
import { transactionIndex } from './decode-contract-results.ts';
import type { DecodedUnit } from './facet.ts';
import { hasTokenEvents, type TokenEvent, tokenEvents } from './token-events.ts';
import { WrittenTransfers } from './written-transfers.ts';

const NO_BYTES = new Uint8Array();
/** Where an event has no amount. */
const NO_AMOUNT = Uint8Array.of(0);

/**
 * Makes the logs that stand for events of tokens, as if the token were a contract that logs.
 *
 * What a contract did with tokens is logged by itself: there only transfers of fungible tokens that it did not log get
 * one, at the time of the call that the transfer belongs to.
 *
 * @param written the logs of contracts, which come first at each time
 * @see contracts/mirror-contracts.md section 11.6
 */
export function syntheticLogs(unit: DecodedUnit, written: readonly ContractLog[]): readonly ContractLog[] {
  const { evmAddress, isSuccessful, items, resolveAt } = unit;
  if (!items.some(hasTokenEvents)) return [];
  const logs: ContractLog[] = [];
  const transfers = new WrittenTransfers(unit, written);
  const counts = new Map<bigint, number>();
  for (const { consensusTimestamp: at } of written) counts.set(at, (counts.get(at) ?? 0) + 1);
  const placeAt = placesOf(items);
  for (const [place, item] of items.entries()) {
    if (!hasTokenEvents(item) || !isSuccessful(item)) continue;
    const events = tokenEvents(item, resolveAt(item));
    const isRun = functionResult(item.record) !== null;
    const parentPlace = isRun ? placeAt(item.parentConsensusTimestamp) : null;
    const parent = parentPlace === null ? undefined : items[parentPlace];
    const isChild = parent !== undefined && functionResult(parent.record) !== null;
    const ownTimes = [item, ...(isChild ? [parent] : [])].map(({ consensusTimestamp: at }) => at);
    const shown = isRun ? events.filter((event) => isUnlogged(event, transfers, ownTimes)) : events;
    if (shown.length === 0) continue;
    const [at, index] = isChild ? [parent, parentPlace ?? place] : [item, place];
    const transaction = unit.transactions[index];
    if (transaction === undefined) continue;
    const { consensusTimestamp } = at;
    const shared = {
      consensusTimestamp,
      payer: transaction.payer,
      transactionIndex: transactionIndex(at, index),
      hash: evmHash(at),
      isSynthetic: true,
    };
    let next = counts.get(consensusTimestamp) ?? 0;
    // A spread of so many members takes ten times as long.
    for (const event of shown) logs.push(Object.assign(logOf(event, evmAddress), shared, { index: next++ }));
    counts.set(consensusTimestamp, next);
  }
  return logs;
}

function isUnlogged(event: TokenEvent, transfers: WrittenTransfers, times: readonly bigint[]): boolean {
  return event.event === 'transfer' && event.serial === null && !transfers.take(event, times);
}

function logOf(
  { amount, event, from, serial, to, token }: TokenEvent,
  addressOf: DecodedUnit['evmAddress'],
): Pick<ContractLog, 'bloom' | 'contract' | 'data' | 'rootContract' | 'topics'> {
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
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value);
  return bytes;
}
