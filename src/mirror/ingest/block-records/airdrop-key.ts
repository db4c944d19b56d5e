import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { entityKey } from './entity-bytes.ts';
import { AIRDROP_ID } from './field-numbers.ts';

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
