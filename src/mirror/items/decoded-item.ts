import { hash } from 'node:crypto';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { messages } from '../protobuf/messages.ts';
import { bodyOf, signedTransactionOf } from '../protobuf/transaction-body.ts';
import { isSuccess } from '../vocabulary/response-codes.ts';
import { isKnownType } from '../vocabulary/transaction-types.ts';
import { dataFieldNumber } from './body-data.ts';
import { timestampOf } from './ledger-ids.ts';
import type { StreamItem } from './stream-item.ts';

/**
 * What is not derived of a transaction whose kind this build does not know: only the contents of its record are shown.
 *
 * @see contracts/mirror-transactions.md section 9, kinds of the future
 */
const NOT_OF_UNKNOWN = {
  contractCallResult: null,
  contractCreateResult: null,
  automaticTokenAssociations: [],
} as const;

/**
 * Decodes one item.
 *
 * @throws LedgerlensError `malformed` when a message or a member that every record has is missing.
 * @see contracts/streams.md section 6
 */
export function decodeItem(item: StreamItem, place = 0) {
  const bodyBytes = bodyOf(item.transaction);
  const record = messages.TransactionRecord.decode(item.record);
  const consensusTimestamp = timestampOf(record.consensusTimestamp);
  if (consensusTimestamp === null) throw malformed('a record has no consensus timestamp');
  if (record.receipt === null) throw malformed('a record has no receipt');
  const type = dataFieldNumber(bodyBytes);
  if (isOfFuture(type)) Object.assign(record, NOT_OF_UNKNOWN);
  return {
    item,
    /** Among the items of its unit, from 0. */
    place,
    body: messages.TransactionBody.decode(bodyBytes),
    record,
    /** The serialized body. */
    bodyBytes,
    consensusTimestamp,
    parentConsensusTimestamp: timestampOf(record.parentConsensusTimestamp),
    /** Field number of the oneof `data`; 0 when the body has none. */
    type,
    /** Number of the response code. */
    result: record.receipt.status,
    hash: record.transactionHash.length > 0 ? record.transactionHash : transactionHash(item),
    /** What the file with the call data of an Ethereum transaction had, where its hash depends on it. */
    fileCallData: null as Uint8Array | null,
  };
}

/** Whether it is the number of a kind that this build does not know; 0 is none. */
export function isOfFuture(type: number): boolean {
  return type !== 0 && !isKnownType(type);
}

/** An item whose messages are decoded, with what only its original bytes tell. */
export type DecodedItem = Readonly<ReturnType<typeof decodeItem>>;

/**
 * Tells for each item whether it took effect: its own status and that of its parent.
 *
 * Children may stand before or after their parent.
 */
export function successOf(items: readonly DecodedItem[]): (item: DecodedItem) => boolean {
  const placeAt = placesOf(items);
  return ({ result, parentConsensusTimestamp }) => {
    if (!isSuccess(result)) return false;
    const parent = items[placeAt(parentConsensusTimestamp) ?? -1];
    return parent === undefined || isSuccess(parent.result);
  };
}

/**
 * Finds the place of the item of a time; null without one.
 *
 * Many units have nobody who asks, so the first who does pays for the map.
 */
export function placesOf(items: readonly DecodedItem[]): (time: bigint | null) => number | null {
  let places: ReadonlyMap<bigint, number> | null = null;
  return (time) => {
    if (time === null) return null;
    places ??= new Map(items.map(({ consensusTimestamp }, place) => [consensusTimestamp, place]));
    return places.get(time) ?? null;
  };
}

function transactionHash({ transaction }: StreamItem): Uint8Array {
  return new Uint8Array(hash('sha384', signedTransactionOf(transaction) ?? transaction, 'buffer'));
}

function malformed(reason: string): LedgerlensError {
  return new LedgerlensError('malformed', reason);
}
