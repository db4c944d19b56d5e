interface Places {
  readonly nonce: number;
  readonly gas: number;
  readonly to: number;
  readonly data: number;
}

/** Places in the list of an Ethereum transaction, by its type; 0 for the oldest form. */
const PLACES: ReadonlyMap<number, Places> = new Map([
  [0, { nonce: 0, gas: 2, to: 3, data: 5 }],
  [1, { nonce: 1, gas: 3, to: 4, data: 6 }],
  [2, { nonce: 1, gas: 4, to: 5, data: 7 }],
  [4, { nonce: 1, gas: 4, to: 5, data: 7 }],
]);
const NUMBER_BYTES = 8;
const FIRST_LIST_BYTE = 0xc0;

/**
 * The creation code in the bytes of a signed Ethereum transaction.
 *
 * @returns null when it creates nothing, has its data elsewhere, or is in no known form.
 * @see EIP-2718, EIP-2930, EIP-1559
 */
export function creationCodeOfEthereumData(bytes: Uint8Array): Uint8Array | null {
  const { data, to } = readMembers(bytes) ?? {};
  if (to === undefined || to.length > 0 || data === undefined || data.length === 0) return null;
  return Uint8Array.from(data);
}

/**
 * The gas limit in the bytes of a signed Ethereum transaction.
 *
 * @returns null when the bytes are in no known form or name more than 64 bits.
 * @see EIP-2718, EIP-2930, EIP-1559, EIP-7702
 */
export function gasLimitOfEthereumData(bytes: Uint8Array): bigint | null {
  return numberOf(readMembers(bytes)?.gas);
}

/** The nonce in the bytes of a signed Ethereum transaction; null as {@link gasLimitOfEthereumData}. */
export function nonceOfEthereumData(bytes: Uint8Array): bigint | null {
  return numberOf(readMembers(bytes)?.nonce);
}

function numberOf(bytes: Uint8Array | undefined): bigint | null {
  if (bytes === undefined || bytes.length > NUMBER_BYTES) return null;
  return bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n);
}

function readMembers(bytes: Uint8Array): { [name in keyof Places]: Uint8Array | undefined } | null {
  const isLegacy = (bytes[0] ?? 0) >= FIRST_LIST_BYTE;
  const places = PLACES.get(isLegacy ? 0 : (bytes[0] ?? -1));
  const items = readList(isLegacy ? bytes : bytes.subarray(1));
  if (places === undefined || items === null) return null;
  return {
    nonce: items[places.nonce],
    gas: items[places.gas],
    to: items[places.to],
    data: items[places.data],
  };
}

/** The payloads of the items of an RLP list, inner lists undecoded; null when the bytes are no list. */
function readList(bytes: Uint8Array): readonly Uint8Array[] | null {
  const list = readItem(bytes, 0);
  if (list === null || !list.isList) return null;
  const items: Uint8Array[] = [];
  for (let offset = 0; offset < list.payload.length; ) {
    const item = readItem(list.payload, offset);
    if (item === null) return null;
    items.push(item.payload);
    offset = item.end;
  }
  return items;
}

interface RlpItem {
  readonly isList: boolean;
  readonly payload: Uint8Array;
  /** Offset after the item. */
  readonly end: number;
}

function readItem(bytes: Uint8Array, offset: number): RlpItem | null {
  const first = bytes[offset];
  if (first === undefined) return null;
  if (first < 0x80) return { isList: false, payload: bytes.subarray(offset, offset + 1), end: offset + 1 };
  const isList = first >= FIRST_LIST_BYTE;
  const short = first - (isList ? FIRST_LIST_BYTE : 0x80);
  // Up to 55 the first byte is the length itself, above it the length of the length.
  const lengthBytes = Math.max(0, short - 55);
  let length = short;
  if (lengthBytes > 0) {
    length = 0;
    for (let index = 1; index <= lengthBytes; index++) length = length * 256 + (bytes[offset + index] ?? 0);
  }
  const start = offset + 1 + lengthBytes;
  const end = start + length;
  return end > bytes.length ? null : { isList, payload: bytes.subarray(start, end), end };
}
