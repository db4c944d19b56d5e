import { NANOS_PER_SECOND } from '../../../values/consensus-timestamp.ts';
import { type EntityId, encodeEntityId } from '../../../values/entity-id.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { AIRDROP_ID } from './field-numbers.ts';

/** Members that the ids of all entities have; accounts and contracts may have an alias or address instead of a number. */
const ID = { shard: 1, realm: 2, number: 3, alias: 4 };

/** A serialized id of an entity. */
interface EntityBytes {
  readonly bytes: Uint8Array;
  readonly shard: bigint;
  readonly realm: bigint;
  /** 0 when it is named otherwise. */
  readonly number: bigint;
  /** Alias or EVM address; null when it is named by number. */
  readonly alias: Uint8Array | null;
}

export function readEntity(bytes: Uint8Array): EntityBytes {
  let [shard, realm, number] = [0n, 0n, 0n];
  let alias: Uint8Array | null = null;
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === ID.shard) shard = walk.int64;
    else if (walk.number === ID.realm) realm = walk.int64;
    else if (walk.number === ID.number) number = walk.int64;
    else if (walk.number === ID.alias) alias = walk.bytes;
  }
  return { bytes, shard, realm, number, alias };
}

/** Null for number 0. @throws LedgerlensError for a number that no entity can have */
export function entityOf(bytes: Uint8Array): EntityId | null {
  const { number, realm, shard } = readEntity(bytes);
  return number === 0n ? null : encodeEntityId(shard, realm, number);
}

/** Equal for equal entities of one kind, however their ids were encoded. */
export function entityKey(bytes: Uint8Array): string {
  const { alias, number, realm, shard } = readEntity(bytes);
  return alias === null ? `${shard}.${realm}.${number}` : bytesKey(alias);
}

export function bytesKey(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}

/** Equal for the same sender, receiver, token and serial number. */
export function airdropKey(id: Uint8Array): string {
  const nft = rawField(id, AIRDROP_ID.nft);
  const token = nft === null ? rawField(id, AIRDROP_ID.token) : rawField(nft, AIRDROP_ID.nftToken);
  const serial = nft === null ? 0n : int64Field(nft, AIRDROP_ID.nftSerial);
  return airdropKeyOf(rawField(id, AIRDROP_ID.sender), rawField(id, AIRDROP_ID.receiver), token, serial);
}

/** @param serial 0n for units */
export function airdropKeyOf(
  sender: Uint8Array | null,
  receiver: Uint8Array | null,
  token: Uint8Array | null,
  serial: bigint,
): string {
  const entity = (bytes: Uint8Array | null) => (bytes === null ? '' : entityKey(bytes));
  return `${entity(sender)}/${entity(receiver)}/${entity(token)}/${serial}`;
}

export function int64Field(bytes: Uint8Array, field: number): bigint {
  let value = 0n;
  for (const walk = new FieldWalk(bytes); walk.next(); ) if (walk.number === field) value = walk.int64;
  return value;
}

const SECONDS = 1;
const NANOS = 2;

/** The nanoseconds of a serialized `Timestamp`. */
export function timeOf(bytes: Uint8Array): bigint {
  let [seconds, nanos] = [0n, 0];
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === SECONDS) seconds = walk.int64;
    else if (walk.number === NANOS) nanos = walk.int;
  }
  return seconds * NANOS_PER_SECOND + BigInt(nanos);
}

const WORD = 32;

/** 32 bytes, with zeros on the left. */
export function word(bytes: Uint8Array): Uint8Array {
  if (bytes.length === WORD) return bytes;
  const padded = new Uint8Array(WORD);
  padded.set(bytes.subarray(0, WORD), Math.max(0, WORD - bytes.length));
  return padded;
}
