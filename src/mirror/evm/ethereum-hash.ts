import { bufferOf, parseHex } from '../../values/hex.ts';
import { keccak256 } from '../../values/keccak256.ts';
import { encodeWithCallData, readEthereumForm } from './ethereum-form.ts';

/**
 * The hash of a signed Ethereum transaction, 32 bytes.
 *
 * @param bytes as they were submitted
 * @param fileCallData what the call data file of the submission holds; null without one. It counts when the transaction
 *   has no call data of its own: then it was signed with these.
 * @returns null when call data are to be put into bytes that are not readable
 * @see contracts/mirror-contracts.md section 11.2
 */
export function ethereumHash(bytes: Uint8Array, fileCallData: Uint8Array | null): Uint8Array | null {
  if (fileCallData === null) return keccak256(bytes);
  const form = readEthereumForm(bytes);
  if (form === null) return null;
  return keccak256(form.fields.data?.length === 0 ? encodeWithCallData(form, fileCallData) : bytes);
}

/** The call data in a file, which has them as hex digits with or without `0x`; null when it has anything else. */
export function callDataOfFile(contents: Uint8Array): Uint8Array | null {
  return parseHex(bufferOf(contents).toString('latin1'));
}
