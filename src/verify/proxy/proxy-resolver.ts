import type { Clock } from '../../values/clock.ts';
import { bareHex, type Hex, toHex } from '../../values/hex.ts';
import { checksumAddress } from '../address.ts';
import { ChainUnavailableError } from '../chain/contract-code-source.ts';
import type { ContractStateSource } from '../chain/rpc-state.ts';
import { findProxyCandidates, type ProxyKind, SLOTS, type StatefulKind } from './proxy-candidates.ts';

/** The field `proxyResolution`. @see contracts/verification-api.md section 5.5 */
export type ProxyResolution =
  | {
      readonly isProxy: boolean;
      readonly proxyType: ProxyKind | null;
      /** `name` only when the implementation is verified on the same chain. */
      readonly implementations: readonly { readonly address: string; readonly name?: string }[];
    }
  | {
      readonly proxyResolutionError: {
        readonly customCode: 'proxy_resolution_error';
        readonly message: string;
        readonly errorId: string;
      };
    };

/** A contract and the chain that it is on. */
export interface ResolvedContract extends ProxySubject {
  readonly chainId: string;
  /** Null when the chain has no source of state. */
  readonly state: ContractStateSource | null;
}

/** What the resolver works with. */
interface ProxyResolverParts {
  /** Name of a verified contract; null when it is not verified. */
  readonly nameOf: (chainId: string, address: Hex) => Promise<string | null>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** A resolution that takes longer is given up, milliseconds. */
  readonly timeoutMs: number;
  /** How long a resolution is believed, milliseconds; a failed one a tenth of it. */
  readonly keepMs: number;
  /** Contracts whose resolution is kept. */
  readonly maxKept: number;
  readonly onFault: (error: unknown, contract: ResolvedContract, errorId: string) => void;
}

/** Resolves proxies for lookups. */
export type ProxyResolver = ReturnType<typeof createProxyResolver>;

type Outcome = { readonly detection: ProxyDetection } | { readonly fault: unknown };

interface Kept {
  readonly outcome: Promise<Outcome>;
  until: number;
}

const FAULT_SHARE = 0.1;
const NO_STATE: ContractStateSource = {
  storageAt: () => Promise.reject(new ChainUnavailableError('storage', ['the chain has no endpoint'])),
  call: () => Promise.reject(new ChainUnavailableError('calls', ['the chain has no endpoint'])),
};

/** Creates the resolver. Requests for the same contract share one resolution. */
export function createProxyResolver(parts: ProxyResolverParts) {
  const { nameOf, clock, newId, timeoutMs, keepMs, maxKept, onFault } = parts;
  const kept = new Map<string, Kept>();

  const outcomeOf = (contract: ResolvedContract): Promise<Outcome> => {
    const key = `${contract.chainId}/${contract.address}`;
    const known = kept.get(key);
    if (known !== undefined && known.until > clock.now()) return known.outcome;
    const outcome = detectWithin(timeoutMs, contract);
    const entry: Kept = { outcome, until: clock.now() + keepMs };
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    void outcome.then((end) => {
      if ('fault' in end) entry.until = clock.now() + keepMs * FAULT_SHARE;
    });
    return outcome;
  };

  return {
    /** Never rejects: a failure is a value, so that the rest of the record can be sent. */
    async resolve(contract: ResolvedContract): Promise<ProxyResolution> {
      const outcome = await outcomeOf(contract);
      if ('fault' in outcome) {
        const errorId = newId();
        onFault(outcome.fault, contract, errorId);
        return {
          proxyResolutionError: {
            customCode: 'proxy_resolution_error',
            message: 'Error while running proxy detection and implementation resolution',
            errorId,
          },
        };
      }
      const { kind, implementations } = outcome.detection;
      return {
        isProxy: kind !== null,
        proxyType: kind,
        implementations: await Promise.all(
          implementations.map(async (address) => {
            const name = await nameOf(contract.chainId, address);
            return { address: checksumAddress(address), ...(name === null ? {} : { name }) };
          }),
        ),
      };
    },
  };
}

/** Never rejects; a source that ignores its signal is left behind. */
async function detectWithin(timeoutMs: number, contract: ResolvedContract): Promise<Outcome> {
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => {
      resolve({ fault: new Error(`The chain did not respond within ${timeoutMs} ms`) });
      limit.abort();
    }, timeoutMs);
  });
  const detection = detectProxy(contract, contract.state ?? NO_STATE, limit.signal).then(
    (found): Outcome => ({ detection: found }),
    // Whatever went wrong, the record is sent without it; the caller logs the reason.
    (fault: unknown): Outcome => ({ fault }),
  );
  try {
    return await Promise.race([detection, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What a contract is; `kind` is null when it is no proxy. */
interface ProxyDetection {
  readonly kind: ProxyKind | null;
  /** Lower case, without the zero address; several only for a diamond. */
  readonly implementations: readonly Hex[];
}

/** The contract that is looked at. */
interface ProxySubject {
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
