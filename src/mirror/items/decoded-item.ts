import { hash } from 'node:crypto';
import type { ConsensusTimestamp } from '../../values/consensus-timestamp.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { TransactionBody, TransactionRecord } from '../protobuf/message-types.ts';
import { messages } from '../protobuf/messages.ts';
import { bodyOf, signedTransactionOf } from '../protobuf/transaction-body.ts';
import { isSuccess } from '../vocabulary/response-codes.ts';
import { dataFieldNumber } from './body-data.ts';
import { timestampOf } from './ledger-ids.ts';
import type { StreamItem } from './stream-item.ts';

/** An item whose messages are decoded, with what only its original bytes tell. */
export interface DecodedItem {
  readonly item: StreamItem;
  /** Among the items of its unit, from 0. */
  readonly place: number;
  readonly body: TransactionBody;
  readonly record: TransactionRecord;
  /** The serialized body. */
  readonly bodyBytes: Uint8Array;
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly parentConsensusTimestamp: ConsensusTimestamp | null;
  /** Field number of the oneof `data`; 0 when the body has none. */
  readonly type: number;
  /** Number of the response code. */
  readonly result: number;
  readonly hash: Uint8Array;
}

/**
 * Decodes one item.
 *
 * @throws LedgerlensError `malformed` when a message or a member that every record has is missing.
 * @see contracts/streams.md section 6
 */
export function decodeItem(item: StreamItem, place = 0): DecodedItem {
  const bodyBytes = bodyOf(item.transaction);
  const record = messages.TransactionRecord.decode(item.record);
  const consensusTimestamp = timestampOf(record.consensusTimestamp);
  if (consensusTimestamp === null) throw malformed('a record has no consensus timestamp');
  if (record.receipt === null) throw malformed('a record has no receipt');
  return {
    item,
    place,
    body: messages.TransactionBody.decode(bodyBytes),
    record,
    bodyBytes,
    consensusTimestamp,
    parentConsensusTimestamp: timestampOf(record.parentConsensusTimestamp),
    type: dataFieldNumber(bodyBytes),
    result: record.receipt.status,
    hash: record.transactionHash.length > 0 ? record.transactionHash : transactionHash(item),
  };
}

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
