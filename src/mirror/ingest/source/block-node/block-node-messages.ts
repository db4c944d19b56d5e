import { LedgerlensError } from '../../../../values/ledgerlens-error.ts';
import { FieldWalk, rawField, varintOf } from '../../../protobuf/wire.ts';
import { WireWriter } from '../../../protobuf/wire-writer.ts';
import { BlockNodeError } from './block-node-connection.ts';

/**
 * The messages of `org.hiero.block.api` by hand: items of blocks stay the bytes that they were sent as.
 *
 * @see contracts/streams.md section 17.1
 */

/** As the end of a range: none; as a number of a status: no block yet. */
export const MAX_UINT64 = (1n << 64n) - 1n;

export const SUBSCRIBE_METHOD = '/org.hiero.block.api.BlockStreamSubscribeService/subscribeBlockStream';
export const STATUS_METHOD = '/org.hiero.block.api.BlockNodeService/serverStatus';

/** Block numbers, both inclusive. */
export interface BlockRange {
  readonly start: bigint;
  /** `MAX_UINT64` for an open end. */
  readonly end: bigint;
}

/** One message of a subscription. */
export type StreamMessage =
  | { readonly kind: 'items'; readonly set: Uint8Array }
  | { readonly kind: 'end'; readonly blockNumber: bigint }
  | { readonly kind: 'status'; readonly code: number };

/** Which blocks a node has; null when it has none yet. */
export interface NodeRange {
  readonly first: bigint;
  readonly last: bigint;
}

export function encodeSubscribe({ start, end }: BlockRange): Uint8Array {
  return new WireWriter().setVarint(1, start).setVarint(2, end).finish();
}

/** @throws BlockNodeError `protocol` */
export function readStreamMessage(bytes: Uint8Array): StreamMessage {
  return reading('an answer of a subscription', () => {
    let message: StreamMessage | null = null;
    for (const walk = new FieldWalk(bytes); walk.next(); ) {
      const value = bytes.subarray(walk.start, walk.end);
      if (walk.number === 1 && walk.wireType === 0)
        message = { kind: 'status', code: Number(varintOf(value)) };
      else if (walk.wireType !== 2) continue;
      else if (walk.number === 2) message = { kind: 'items', set: value };
      else if (walk.number === 3) message = { kind: 'end', blockNumber: uint64Member(value, 1) };
    }
    if (message === null) throw new LedgerlensError('malformed', 'neither items nor an end nor a status');
    return message;
  });
}

/** @throws BlockNodeError `protocol` */
export function readServerStatus(bytes: Uint8Array): NodeRange | null {
  return reading('a status', () => {
    const [first, last] = [uint64Member(bytes, 1), uint64Member(bytes, 2)];
    return first === MAX_UINT64 || last === MAX_UINT64 ? null : { first, last };
  });
}

/** One item of a set. */
export interface SetItem {
  /** Number of its member: 1 is the header of a block, 9 a proof. */
  readonly field: number;
  readonly bytes: Uint8Array;
}

/** The items of a set, in order. @throws BlockNodeError `protocol` */
export function* setItems(set: Uint8Array): Generator<SetItem> {
  const walk = new FieldWalk(set);
  while (reading('a set of items', () => walk.next())) {
    if (walk.number !== 1 || walk.wireType !== 2) {
      throw new BlockNodeError('protocol', `a set of items has a field ${walk.number} that is not an item`);
    }
    const bytes = set.subarray(walk.start, walk.end);
    const member = new FieldWalk(bytes);
    if (!reading('an item', () => member.next())) throw new BlockNodeError('protocol', 'an item is empty');
    yield { field: member.number, bytes };
  }
}

/** Number of a block from its header item. @throws BlockNodeError `protocol` */
export function headerNumber(item: Uint8Array): bigint {
  return reading('the header of a block', () => uint64Member(member(item, 1), 3));
}

/** Second at which a block begins, from its header item. @throws BlockNodeError `protocol` */
export function headerTime(item: Uint8Array): { readonly seconds: bigint; readonly nanos: number } {
  return reading('the header of a block', () => {
    const time = member(member(item, 1), 4);
    return { seconds: uint64Member(time, 1), nanos: Number(uint64Member(time, 2)) };
  });
}

function member(bytes: Uint8Array, number: number): Uint8Array {
  return rawField(bytes, number) ?? new Uint8Array();
}

function uint64Member(bytes: Uint8Array, number: number): bigint {
  let value = 0n;
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === number && walk.wireType === 0) value = varintOf(walk.bytes);
  }
  return value;
}

function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof LedgerlensError) || cause.code !== 'malformed') throw cause;
    throw new BlockNodeError('protocol', `${what} cannot be read: ${cause.message}`, { cause });
  }
}
