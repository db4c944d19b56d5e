import { type EntityId, encodeEntityId } from '../../../values/entity-id.ts';
import { FieldWalk } from '../../protobuf/wire.ts';

/** Members that the ids of all entities have; accounts and contracts may have an alias or address instead of a number. */
const ID = { shard: 1, realm: 2, number: 3, alias: 4 };

/** A serialized id of an entity. */
export interface EntityBytes {
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
