import { decodeEntityId, type EntityId } from '../../../values/entity-id.ts';
import { pooledBytes } from '../../../values/pooled-bytes.ts';
import { bloomOf } from '../../evm/bloom.ts';
import { padded, trimmed } from '../../evm/bytes.ts';
import { EVENT } from '../../evm/log-topics.ts';
import { unsignedOf } from '../../evm/quantities.ts';
import { functionResult } from '../../items/created-contract.ts';
import { placesOf } from '../../items/decoded-item.ts';
import { evmHash } from '../../items/evm-hash.ts';
import { contractId, type ResolveAlias } from '../../items/ledger-ids.ts';
import type { ContractFunctionResult } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { memberBytes } from '../../protobuf/wire.ts';
import { entityOfLongZero, longZeroOf } from '../../vocabulary/long-zero-address.ts';
import type { ContractLog } from './contract-logs.ts';
import { ASKS_FOR_RUN, contractOfResult, NO_CONTRACT } from './decode-contract-results.ts';
import { isHookContract } from './decode-hooks.ts';
import type { DecodedUnit } from './facet.ts';
import { hasTokenEvents, type TokenEvent, tokenEvents } from './token-events.ts';

/** A unit as an EVM orders it: which of its items are transactions, and the numbers of their logs. */
export interface EvmOrder {
  /** By the place of the item; null or absent where it is no transaction of an EVM. */
  readonly indexes: readonly (number | null)[];
  /** Ascending by time and index. */
  readonly logs: readonly ContractLog[];
}

/** What a log says, before it is known whose it is. */
type LogDraft = Pick<ContractLog, 'bloom' | 'contract' | 'data' | 'rootContract' | 'topics'>;

/** A unit with the EVM's results of its items. */
interface EvmUnit extends Omit<DecodedUnit, 'evm'> {
  /** By the place of the item. */
  readonly results: readonly (ContractFunctionResult | null)[];
  /** By the place of the item: that of the call which it belongs to. */
  readonly contractParents: readonly (number | null)[];
}

const NO_LOGS: readonly LogDraft[] = [];

/**
 * Numbers the transactions of a unit that the EVM ran, and all logs of the unit: those that contracts wrote, and those
 * that stand for events of tokens.
 *
 * @see contracts/mirror-contracts.md sections 11.1 and 11.3
 */
export function evmOrder(unit: Omit<DecodedUnit, 'evm'>): EvmOrder {
  const { items, transactions } = unit;
  const results = items.map(({ record }) => functionResult(record));
  // Most units have nothing to do with contracts and tokens.
  if (results.every((result) => result === null) && !items.some(hasTokenEvents)) {
    return { indexes: [], logs: [] };
  }
  const evm: EvmUnit = { ...unit, results, contractParents: contractParents(unit, results) };
  const written = items.map((_, place) => writtenLogs(evm, place));
  const synthetic = syntheticLogs(evm, written);
  const indexes: (number | null)[] = [];
  const logs: ContractLog[] = [];
  let nextLog = 0;
  const addLogs = (
    drafts: readonly LogDraft[],
    place: number,
    told: Pick<ContractLog, 'isSynthetic' | 'transactionIndex'>,
  ): void => {
    const [item, transaction] = [items[place], transactions[place]];
    if (drafts.length === 0 || item === undefined || transaction === undefined) return;
    const { isSynthetic, transactionIndex } = told;
    const hash = evmHash(item);
    for (const { bloom, contract, data, rootContract, topics } of drafts) {
      logs.push({
        consensusTimestamp: item.consensusTimestamp,
        index: nextLog++,
        contract,
        rootContract,
        payer: transaction.payer,
        transactionIndex,
        hash,
        bloom,
        data,
        topics,
        isSynthetic,
      });
    }
  };
  let next = 0;
  for (const [place, { type }] of items.entries()) {
    const [said, standIns] = [written[place] ?? NO_LOGS, synthetic[place] ?? NO_LOGS];
    const hasLogs = said.length + standIns.length > 0;
    const parent = evm.contractParents[place] ?? null;
    const ofParent = parent === null ? null : (indexes[parent] ?? null);
    const isRun = ASKS_FOR_RUN.has(type);
    const isCounted = isRun ? toBigInt(results[place]?.gasUsed ?? 0) > 0n : hasLogs;
    const claims = isCounted && (isRun || parent === null);
    const transactionIndex = ofParent !== null && (isRun || hasLogs) ? ofParent : claims ? next++ : null;
    indexes.push(transactionIndex);
    // A client takes a log without an index for one that is not complete yet. What only stands for an event has no number.
    if (transactionIndex === null) {
      nextLog += said.length;
      continue;
    }
    addLogs(said, place, { transactionIndex, isSynthetic: false });
    // What a call did is told at the call.
    const caller = results[place] == null ? null : parent;
    addLogs(standIns, caller ?? place, { transactionIndex, isSynthetic: true });
  }
  return { indexes, logs: logs.sort(byTimeAndIndex) };
}

/** The run of a hook that called an item, else its parent if the EVM ran that; it stands before the item. */
function contractParents(
  { items, resolveAt, transactions }: Omit<DecodedUnit, 'evm'>,
  results: EvmUnit['results'],
): EvmUnit['contractParents'] {
  const placeAt = placesOf(items);
  /** By the time of the parent: the last run of a hook, behind which all items were run too. */
  const hooks = new Map<bigint, number>();
  return items.map((item, place) => {
    const { parentConsensusTimestamp: parent } = item;
    if (parent === null) return null;
    const [result, transaction] = [results[place], transactions[place]];
    if (result == null || transaction === undefined) {
      hooks.delete(parent);
    } else {
      const contract = contractOfResult(item, transaction, result, resolveAt(item));
      if (contract !== null && isHookContract(contract)) hooks.set(parent, place);
      else if (hooks.has(parent)) return hooks.get(parent) ?? null;
    }
    const parentPlace = placeAt(parent);
    return parentPlace !== null && parentPlace < place && results[parentPlace] != null ? parentPlace : null;
  });
}

function writtenLogs(
  { items, resolveAt, results, transactions }: EvmUnit,
  place: number,
): readonly LogDraft[] {
  const [item, result, transaction] = [items[place], results[place], transactions[place]];
  if (item === undefined || transaction === undefined || result == null || result.logInfo.length === 0) {
    return NO_LOGS;
  }
  const resolve = resolveAt(item);
  const rootContract = contractOfResult(item, transaction, result, resolve);
  return result.logInfo.map(({ bloom, contractID, data, topic }) => ({
    contract: contractId(contractID, resolve) ?? NO_CONTRACT,
    rootContract,
    topics: topic.map(memberBytes),
    data: memberBytes(data),
    bloom: memberBytes(bloom),
  }));
}

function byTimeAndIndex(one: ContractLog, other: ContractLog): number {
  if (one.consensusTimestamp === other.consensusTimestamp) return one.index - other.index;
  return one.consensusTimestamp < other.consensusTimestamp ? -1 : 1;
}

const ADDRESS_LENGTH = 20;
const INT64_BYTES = 8;
/** The event, two parties; NFTs have one more. */
const FUNGIBLE_TOPICS = 3;

/** The transfers of fungible tokens that contracts logged themselves, by the place of the item. */
class WrittenTransfers {
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
    for (const [place, logs] of this.#written.entries()) {
      for (const log of logs) {
        const transfer = this.#transferOf(log);
        if (transfer === null) continue;
        const key = `${place} ${transfer}`;
        left.set(key, (left.get(key) ?? 0) + 1);
      }
    }
    return left;
  }

  /** Null for other events, for unknown parties, and for more than any record moves: no record has the same. */
  #transferOf({ contract, data, topics }: LogDraft): string | null {
    const [event, sender, receiver] = topics;
    if (topics.length !== FUNGIBLE_TOPICS || !event || !sender || !receiver) return null;
    if (Buffer.compare(event, EVENT.transfer) !== 0) return null;
    const [from, to] = [sender, receiver].map((topic) => partyOf(topic, contract, this.#unit.resolve));
    const amount = trimmed(data ?? NO_BYTES);
    const isKnown = from !== undefined && to !== undefined && amount.length <= INT64_BYTES;
    return isKnown ? `${contract} ${from} ${to} ${unsignedOf(amount)}` : null;
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

const NO_BYTES = new Uint8Array();
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
function syntheticLogs(
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
