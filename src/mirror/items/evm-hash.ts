import { ethereumHash } from '../evm/ethereum-hash.ts';
import { decodeEthereumTransaction } from '../evm/ethereum-transaction.ts';
import type { DecodedItem } from './decoded-item.ts';

const EVM_HASH_LENGTH = 32;

/**
 * The hash by which clients of the EVM know a transaction, 32 bytes: that of the Ethereum transaction inside, else the
 * first bytes of its own.
 *
 * A record that does not tell the Ethereum hash of call data in a file leaves its own.
 *
 * @see contracts/mirror-contracts.md sections 11.1 and 11.2
 */
export function evmHash({ body: { ethereumTransaction: sent }, hash, record }: DecodedItem): Uint8Array {
  const told = record.ethereumHash;
  if (told.length === EVM_HASH_LENGTH) return new Uint8Array(told);
  const computed = sent === null || sent.callData !== null ? null : hashOfReadable(sent.ethereumData);
  return computed ?? new Uint8Array(hash.subarray(0, EVM_HASH_LENGTH));
}

function hashOfReadable(bytes: Uint8Array): Uint8Array | null {
  return decodeEthereumTransaction(bytes) === null ? null : ethereumHash(bytes, null);
}
