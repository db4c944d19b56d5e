import { FieldWalk, rawField } from '../protobuf/wire.ts';
import type { DecodedItem } from './decoded-item.ts';

/**
 * Our own members of the records that are made of blocks, for what records of networks do not tell or tell elsewhere;
 * their numbers, the greatest of all, are none of theirs.
 */
export const OWN_MEMBER = {
  /** The nonce that the state of the block has for the account that a CRYPTOUPDATEACCOUNT gave a delegation. */
  delegationNonce: 0x1fff_ffff,
  /** Serialized `HookId` of the hook that a call ran, by the output of the block. */
  executedHook: 0x1fff_fffe,
} as const;

/** Null where the record does not have it. @see contracts/mirror-contracts.md section 11.3 */
export function delegationNonce({ item }: DecodedItem): bigint | null {
  let nonce: bigint | null = null;
  for (const walk = new FieldWalk(item.record); walk.next(); ) {
    if (walk.number === OWN_MEMBER.delegationNonce) nonce = walk.int64;
  }
  return nonce;
}

/** Null where the record does not have it. @see contracts/mirror-entities.md section 10 */
export function executedHook({ item }: DecodedItem): Uint8Array | null {
  return rawField(item.record, OWN_MEMBER.executedHook);
}
