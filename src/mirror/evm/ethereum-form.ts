import { prefixed } from './bytes.ts';
import { INTEGER_BYTES } from './integers.ts';
import { unsignedOf } from './quantities.ts';
import { isList, readRlpList } from './read-rlp.ts';
import { encodeRlpItem, type RlpItem } from './write-rlp.ts';

export type EthereumType = 0 | 1 | 2 | 4;

type BytesField =
  | 'chainId'
  | 'data'
  | 'gasLimit'
  | 'gasPrice'
  | 'maxFee'
  | 'maxPriority'
  | 'nonce'
  | 'parity'
  | 'r'
  | 's'
  | 'to'
  | 'v'
  | 'value';
type ListField = 'accessList' | 'authorizations';

/** The fields of each type in their order. @see contracts/mirror-contracts.md section 11.2 */
const FIELDS: Readonly<Record<EthereumType, readonly (BytesField | ListField)[]>> = {
  0: ['nonce', 'gasPrice', 'gasLimit', 'to', 'value', 'data', 'v', 'r', 's'],
  // biome-ignore format: the order is read at a glance
  1: ['chainId', 'nonce', 'gasPrice', 'gasLimit', 'to', 'value', 'data', 'accessList', 'parity', 'r', 's'],
  // biome-ignore format: the order is read at a glance
  2: ['chainId', 'nonce', 'maxPriority', 'maxFee', 'gasLimit', 'to', 'value', 'data', 'accessList', 'parity', 'r', 's'],
  // biome-ignore format: the order is read at a glance
  4: ['chainId', 'nonce', 'maxPriority', 'maxFee', 'gasLimit', 'to', 'value', 'data', 'accessList', 'authorizations', 'parity', 'r', 's'],
};
const FIRST_LIST_BYTE = 0xc0;

/** A signed Ethereum transaction, split into the fields that its type has. */
export interface EthereumForm {
  readonly type: EthereumType;
  readonly fields: Readonly<Partial<Record<BytesField, Uint8Array>>>;
  readonly lists: Readonly<Partial<Record<ListField, RlpItem>>>;
  /** The same in their order. */
  readonly items: readonly RlpItem[];
}

/**
 * Splits the bytes of a signed Ethereum transaction.
 *
 * @returns null for bytes that are in the form of no known type
 * @see EIP-155, EIP-2718, EIP-2930, EIP-1559, EIP-7702
 */
export function readEthereumForm(bytes: Uint8Array): EthereumForm | null {
  const { items, type } = readItems(bytes) ?? {};
  if (type === undefined || items?.length !== FIELDS[type].length) return null;
  const fields: Partial<Record<BytesField, Uint8Array>> = {};
  const lists: Partial<Record<ListField, RlpItem>> = {};
  for (const [index, name] of FIELDS[type].entries()) {
    const item = items[index];
    if (item === undefined) return null;
    if (name === 'accessList' || name === 'authorizations') lists[name] = item;
    else if (isList(item)) return null;
    else fields[name] = item;
  }
  return { type, fields, lists, items };
}

/** The bytes of a transaction with other call data. */
export function encodeWithCallData({ items, type }: EthereumForm, callData: Uint8Array): Uint8Array {
  const list = encodeRlpItem(items.with(FIELDS[type].indexOf('data'), callData));
  return type === 0 ? list : prefixed(type, list);
}

/**
 * The gas limit of an Ethereum transaction, which may be without its signature.
 *
 * @returns null when it is not readable or has more than 64 bits
 */
export function gasLimitOfEthereum(bytes: Uint8Array): bigint | null {
  const { items, type } = readItems(bytes) ?? {};
  const limit = type === undefined ? undefined : items?.[FIELDS[type].indexOf('gasLimit')];
  return limit === undefined || isList(limit) || limit.length > INTEGER_BYTES ? null : unsignedOf(limit);
}

function readItems(bytes: Uint8Array): Pick<EthereumForm, 'type' | 'items'> | null {
  const type = typeOf(bytes);
  const items = type === null ? null : readRlpList(type === 0 ? bytes : bytes.subarray(1));
  return type === null || items === null ? null : { type, items };
}

function typeOf(bytes: Uint8Array): EthereumType | null {
  const first = bytes[0] ?? 0;
  if (first >= FIRST_LIST_BYTE) return 0;
  return first === 1 || first === 2 || first === 4 ? first : null;
}
