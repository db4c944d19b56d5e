import { prefixed } from '../../src/mirror/evm/bytes.ts';
import type { EthereumType } from '../../src/mirror/evm/ethereum-form.ts';
import { unsignedBytes } from '../../src/mirror/evm/quantities.ts';
import { encodeRlpItem, type RlpItem } from '../../src/mirror/evm/write-rlp.ts';
import type { RandomSource } from './seeded-random.ts';

/** What a client of the EVM signs. */
export interface SentCall {
  readonly type: EthereumType;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Empty for a creation. */
  readonly to: Uint8Array;
  readonly value: bigint;
  readonly callData: Uint8Array;
}

export const ETHEREUM_TYPES: readonly EthereumType[] = [0, 1, 2, 4];

const CHAIN = 0x12an;
/** Weibars. */
const GAS_PRICE = 710_000_000_000n;
const TIP = 10_000_000_000n;
/** Of the chain in a legacy signature. @see EIP-155 */
const FIRST_V = 35n;

/** The bytes of an Ethereum transaction whose signature has the form of one. */
export function ethereumBytes(sent: SentCall, random: RandomSource): Uint8Array {
  const { callData, to, type } = sent;
  const [nonce, gasLimit, value] = [sent.nonce, sent.gasLimit, sent.value].map(integer) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const signature = [word(random), word(random)];
  const parity = BigInt(random.below(2));
  if (type === 0) {
    const v = integer(FIRST_V + 2n * CHAIN + parity);
    return encodeRlpItem([nonce, integer(GAS_PRICE), gasLimit, to, value, callData, v, ...signature]);
  }
  const prices = type === 1 ? [GAS_PRICE] : [TIP, GAS_PRICE];
  const accessList: RlpItem = [[random.bytes(20), [random.bytes(32)]]];
  const authorizations: readonly RlpItem[] =
    type === 4 ? [[[integer(CHAIN), random.bytes(20), integer(1n), integer(parity), ...signature]]] : [];
  return prefixed(
    type,
    encodeRlpItem([
      integer(CHAIN),
      nonce,
      ...prices.map(integer),
      gasLimit,
      to,
      value,
      callData,
      accessList,
      ...authorizations,
      integer(parity),
      ...signature,
    ]),
  );
}

/** As RLP has numbers: none for 0. */
function integer(value: bigint): Uint8Array {
  return value === 0n ? new Uint8Array() : unsignedBytes(value);
}

/** 32 bytes that begin with another one than zero. */
function word(random: RandomSource): Uint8Array {
  const bytes = random.bytes(32);
  bytes[0] = 1 + random.below(127);
  return bytes;
}
