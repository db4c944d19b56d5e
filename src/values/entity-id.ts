/** An encoded ledger entity: `shard << 54 | realm << 38 | num`, int64 in two's complement. */
export type EntityId = bigint & { readonly __brand: 'EntityId' };

const MAX_SHARD = 1023n;
const MAX_REALM = 65_535n;
export const MAX_NUM = 274_877_906_943n;

const ENTITY_ID = /^(\d{1,19})\.(\d{1,19})\.(\d{1,19})$/;

/**
 * Encodes `shard.realm.num`; with shard and realm 0 the result equals num.
 *
 * @returns null when a part is outside 10, 16 or 38 bits.
 * @see contracts/mirror-transactions.md section 3.2
 */
export function encodeEntityId(shard: bigint, realm: bigint, num: bigint): EntityId | null {
  // The usual case; an import encodes millions of them.
  if (shard === 0n && realm === 0n && num >= 0n && num <= MAX_NUM) return num as EntityId;
  if (shard < 0n || shard > MAX_SHARD || realm < 0n || realm > MAX_REALM || num < 0n || num > MAX_NUM) {
    return null;
  }
  return BigInt.asIntN(64, (shard << 54n) | (realm << 38n) | num) as EntityId;
}

/** Splits an encoded id into its three numbers. */
export function decodeEntityId(id: bigint) {
  const bits = BigInt.asUintN(64, id);
  return { shard: bits >> 54n, realm: (bits >> 38n) & MAX_REALM, num: bits & MAX_NUM };
}

/** Parses the full form `shard.realm.num`; null for any other text or a part out of range. */
export function parseEntityId(text: string): EntityId | null {
  const match = ENTITY_ID.exec(text);
  if (match === null) return null;
  const [, shard = '', realm = '', num = ''] = match;
  return encodeEntityId(BigInt(shard), BigInt(realm), BigInt(num));
}

/** Prints `shard.realm.num`. */
export function printEntityId(id: bigint): string {
  // Most ids have shard and realm 0: then they are their number.
  if (id >= 0n && id <= MAX_NUM) return `0.0.${id}`;
  const { shard, realm, num } = decodeEntityId(id);
  return `${shard}.${realm}.${num}`;
}

/** Prints an id that may be missing; the all-zero one means none. @see contracts/mirror-entities.md section 1 */
export function printIdOrNull(id: bigint | null): string | null {
  return id === null || id === 0n ? null : printEntityId(id);
}

/** Marks an already encoded int64 as an entity id. */
export function entityId(encoded: bigint): EntityId {
  return encoded as EntityId;
}
