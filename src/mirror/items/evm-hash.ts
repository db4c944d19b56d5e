import { callDataOfFile, ethereumHash } from '../evm/ethereum-hash.ts';
import { decodeEthereumTransaction } from '../evm/ethereum-transaction.ts';
import type { FileId } from '../protobuf/message-types.ts';
import type { DecodedItem } from './decoded-item.ts';

const EVM_HASH_LENGTH = 32;

/**
 * The hash by which clients of the EVM know a transaction, 32 bytes: that of the Ethereum transaction inside, else the
 * first bytes of its own.
 *
 * Without the contents of the file with its call data it has its own as well.
 *
 * @see contracts/mirror-contracts.md sections 11.1 and 11.2
 */
export function evmHash(item: DecodedItem): Uint8Array {
  const recorded = item.record.ethereumHash;
  if (recorded.length === EVM_HASH_LENGTH) return new Uint8Array(recorded);
  return hashOfEthereum(item) ?? new Uint8Array(item.hash.subarray(0, EVM_HASH_LENGTH));
}

function hashOfEthereum({
  body: { ethereumTransaction: sent },
  fileCallData,
}: DecodedItem): Uint8Array | null {
  if (sent === null || decodeEthereumTransaction(sent.ethereumData) === null) return null;
  const callData = fileCallData === null ? null : callDataOfFile(fileCallData);
  return sent.callData !== null && callData === null ? null : ethereumHash(sent.ethereumData, callData);
}

/** The file whose contents the hash depends on; null where the record has it, or no file is named. */
export function hashedFile({ body: { ethereumTransaction: sent }, record }: DecodedItem): FileId | null {
  return record.ethereumHash.length === EVM_HASH_LENGTH ? null : (sent?.callData ?? null);
}
