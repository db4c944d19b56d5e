import { prefixed } from './bytes.ts';
import { type EthereumForm, readEthereumForm } from './ethereum-form.ts';
import { readAccessList, readAuthorizationList } from './ethereum-lists.ts';
import { readInteger } from './integers.ts';
import { unsignedBytes, unsignedOf } from './quantities.ts';

/** A signed Ethereum transaction. Prices and value are in weibars. */
export type EthereumTransaction = NonNullable<ReturnType<typeof decodeEthereumTransaction>>;

const NONE = new Uint8Array();
/** The least v that tells a chain. @see EIP-155 */
const FIRST_CHAIN_V = 35n;

/**
 * Decodes the bytes of a signed Ethereum transaction. Bytes of the answer are views of the given ones.
 *
 * Bytes after the transaction are left alone, as networks do.
 *
 * @returns null when they are not readable: no known type, another number of fields, integers with leading zeros or of
 *   more than 64 bits, more than 1500 authorizations, RLP in any other than the one form of its contents
 * @see contracts/mirror-contracts.md section 11.2
 */
export function decodeEthereumTransaction(bytes: Uint8Array) {
  const form = readEthereumForm(bytes);
  if (form === null) return null;
  const { fields, lists, type } = form;
  const [nonce, gasLimit] = [integerOf(fields.nonce), integerOf(fields.gasLimit)];
  const value = signedValue(fields.value);
  const accessList = readAccessList(lists.accessList ?? []);
  const authorizationList = readAuthorizationList(lists.authorizations ?? []);
  const signature = signatureOf(form);
  if (nonce === null || gasLimit === null || value === null || signature === null) return null;
  if (accessList === null || authorizationList === null) return null;
  return {
    type,
    nonce,
    gasLimit,
    /** Null in types 2 and 4. */
    gasPrice: fields.gasPrice ?? null,
    /** Null in types 0 and 1. */
    maxFeePerGas: fields.maxFee ?? null,
    /** Null in types 0 and 1. */
    maxPriorityFeePerGas: fields.maxPriority ?? null,
    /** In two's complement, one byte at least. */
    value,
    /** Empty in a creation. */
    toAddress: fields.to ?? NONE,
    /** Empty also when they are in a file. */
    callData: fields.data ?? NONE,
    /** Empty in type 0. */
    accessList,
    /** Empty but in type 4. */
    authorizationList,
    ...signature,
    signatureR: fields.r ?? NONE,
    signatureS: fields.s ?? NONE,
  };
}

function integerOf(bytes: Uint8Array | undefined): bigint | null {
  return bytes === undefined ? null : readInteger(bytes);
}

/** Its sign would be the highest bit. */
function signedValue(bytes: Uint8Array | undefined): Uint8Array | null {
  const first = bytes?.[0];
  if (bytes === undefined || first === undefined) return Uint8Array.of(0);
  if (first === 0) return null;
  return first < 0x80 ? bytes : prefixed(0, bytes);
}

function signatureOf({ fields: { chainId, parity, v } }: EthereumForm): {
  /** Null in type 0 when it is valid on every chain. */
  readonly chainId: Uint8Array | null;
  readonly recoveryId: number;
  /** Null but in type 0. */
  readonly signatureV: Uint8Array | null;
} | null {
  if (v === undefined) {
    const recoveryId = parity === undefined || parity.length > 1 ? null : integerOf(parity);
    return recoveryId === null
      ? null
      : { chainId: chainId ?? null, recoveryId: Number(recoveryId), signatureV: null };
  }
  const number = unsignedOf(v);
  return {
    chainId: number < FIRST_CHAIN_V ? null : unsignedBytes((number - FIRST_CHAIN_V) >> 1n),
    recoveryId: (number & 1n) === 1n ? 0 : 1,
    signatureV: v,
  };
}
