import { FieldWalk } from '../protobuf/wire.ts';
import type { DecodedItem } from './decoded-item.ts';

/**
 * Our own member of the records that are made of blocks: the nonce that the state of the block has for the account that
 * a CRYPTOUPDATEACCOUNT gave a delegation. Records of networks tell it in the contract's result; this number, the
 * greatest of all, is none of theirs.
 */
export const DELEGATION_NONCE = 0x1fff_ffff;

/** Null where the record does not have it. @see contracts/mirror-contracts.md section 11.3 */
export function delegationNonce({ item }: DecodedItem): bigint | null {
  let nonce: bigint | null = null;
  for (const walk = new FieldWalk(item.record); walk.next(); ) {
    if (walk.number === DELEGATION_NONCE) nonce = walk.int64;
  }
  return nonce;
}
