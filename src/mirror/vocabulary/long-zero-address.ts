import { type EntityId, encodeEntityId, MAX_NUM } from '../../values/entity-id.ts';
import { pooledBytes } from '../../values/pooled-bytes.ts';

/** Shard and realm of a network. */
export interface Home {
  readonly shard: bigint;
  readonly realm: bigint;
}

/**
 * The entity that an EVM address names by its number: 8 bytes after 12 that are zero, or 4 of the shard and 8 of
 * the realm.
 *
 * @returns null for any other address, and for number 0.
 */
export function entityOfLongZero(address: Uint8Array, home: Home): EntityId | null {
  const view = new DataView(address.buffer, address.byteOffset, address.byteLength);
  const [shard, realm] = [BigInt(view.getUint32(0)), view.getBigUint64(4)];
  const isBare = shard === 0n && realm === 0n;
  if (!isBare && (shard !== home.shard || realm !== home.realm)) return null;
  const num = view.getBigUint64(12);
  return num === 0n ? null : encodeEntityId(home.shard, home.realm, num);
}

/** The EVM address that an entity has by its number alone: 12 zero bytes and the number. */
export function longZeroOf(entity: bigint): Uint8Array {
  const address = pooledBytes(20);
  new DataView(address.buffer, address.byteOffset).setBigUint64(12, entity & MAX_NUM);
  return address;
}
