import { bareHex, type Hex, toHex } from '../../values/hex.ts';
import type { ContractStateSource } from '../chain/contract-state-source.ts';
import { findProxyCandidates, type ProxyKind, SLOTS, type StatefulKind } from './proxy-candidates.ts';

/** What a contract is; `kind` is null when it is no proxy. */
export interface ProxyDetection {
  readonly kind: ProxyKind | null;
  /** Lower case, without the zero address; several only for a diamond. */
  readonly implementations: readonly Hex[];
}

/** The contract that is looked at. */
export interface ProxySubject {
  /** Lower case. */
  readonly address: Hex;
  readonly runtime: Uint8Array;
  /** Null when it is not known. */
  readonly creation: Uint8Array | null;
}

const FACET_ADDRESSES = '0x52ef6b2c';
const BEACON_IMPLEMENTATION = '0x5c60da1b';
const WORD = 64;
const ADDRESS_DIGITS = 40;
/** Beyond this an answer is no list of facets but nonsense. */
const MAX_FACETS = 1000;

/**
 * Says whether a contract is a proxy, and for what.
 *
 * The code names the kinds that are possible; the first whose state holds an address is it. A kind that needs
 * no state is believed at once (clone) or at last (fixed).
 *
 * @throws ChainUnavailableError when the state is needed and cannot be read; an AbortError when `signal` fires.
 * @see contracts/verification-engine.md section 11
 */
export async function detectProxy(
  { address, runtime, creation }: ProxySubject,
  state: ContractStateSource,
  signal: AbortSignal,
): Promise<ProxyDetection> {
  const { clone, stateful, fixed } = findProxyCandidates(runtime, creation);
  if (clone !== null) return { kind: 'EIP1167Proxy', implementations: [clone] };
  for (const kind of stateful) {
    const implementations = await readImplementations(kind, address, state, signal);
    if (implementations.length > 0) return { kind, implementations };
  }
  return fixed === null
    ? { kind: null, implementations: [] }
    : { kind: 'FixedProxy', implementations: [fixed] };
}

async function readImplementations(
  kind: StatefulKind,
  address: Hex,
  state: ContractStateSource,
  signal: AbortSignal,
): Promise<readonly Hex[]> {
  const atSlot = async (slot: string) =>
    listOf(asAddress(await state.storageAt(address, `0x${slot}`, signal)));
  switch (kind) {
    case 'DiamondProxy':
      return readAddressList(await state.call(address, FACET_ADDRESSES, signal));
    case 'EIP1967Proxy':
      return readStandardSlots(address, state, signal);
    case 'ZeppelinOSProxy':
      return atSlot(SLOTS.zeppelinOs);
    case 'PROXIABLEProxy':
      return atSlot(SLOTS.proxiable);
    case 'GnosisSafeProxy':
      return atSlot('0'.repeat(WORD));
    case 'SequenceWalletProxy':
      return atSlot(address.slice(2).padStart(WORD, '0'));
  }
}

async function readStandardSlots(
  address: Hex,
  state: ContractStateSource,
  signal: AbortSignal,
): Promise<readonly Hex[]> {
  const [direct, viaBeacon] = await Promise.all([
    state.storageAt(address, `0x${SLOTS.implementation}`, signal),
    state.storageAt(address, `0x${SLOTS.beacon}`, signal),
  ]);
  const implementation = asAddress(direct);
  if (implementation !== null) return [implementation];
  const beacon = asAddress(viaBeacon);
  if (beacon === null) return [];
  return listOf(asAddress(await state.call(beacon, BEACON_IMPLEMENTATION, signal)));
}

function listOf(address: Hex | null): readonly Hex[] {
  return address === null ? [] : [address];
}

/** One word that holds an address and nothing else; null for zero. */
function asAddress(word: Uint8Array | null): Hex | null {
  if (word === null || word.length !== WORD / 2) return null;
  const digits = bareHex(word);
  const isAddress = /^0{24}/.test(digits) && !/^0+$/.test(digits);
  return isAddress ? `0x${digits.slice(-ADDRESS_DIGITS)}` : null;
}

/** Decodes `address[]` as the ABI has it; empty when the bytes are something else. */
function readAddressList(answer: Uint8Array | null): readonly Hex[] {
  if (answer === null || answer.length % 32 !== 0 || answer.length < 64) return [];
  const words = Array.from({ length: answer.length / 32 }, (_, index) =>
    answer.subarray(32 * index, 32 * index + 32),
  );
  const [offset, count, ...entries] = words;
  if (offset === undefined || count === undefined) return [];
  if (BigInt(toHex(offset)) !== 32n || BigInt(toHex(count)) !== BigInt(entries.length)) return [];
  if (entries.length > MAX_FACETS) return [];
  const addresses = entries.map(asAddress);
  return addresses.includes(null) ? [] : [...new Set(addresses.filter((each) => each !== null))];
}
