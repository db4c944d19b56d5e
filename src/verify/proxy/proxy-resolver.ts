import type { Clock } from '../../values/clock.ts';
import type { Hex } from '../../values/hex.ts';
import { checksumAddress } from '../address.ts';
import { ChainUnavailableError } from '../chain/chain-unavailable-error.ts';
import type { ContractStateSource } from '../chain/contract-state-source.ts';
import { detectProxy, type ProxyDetection, type ProxySubject } from './detect-proxy.ts';
import type { ProxyKind } from './proxy-candidates.ts';

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
export interface ProxyResolver {
  /** Never rejects: a failure is a value, so that the rest of the record can be sent. */
  resolve(contract: ResolvedContract): Promise<ProxyResolution>;
}

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
export function createProxyResolver(parts: ProxyResolverParts): ProxyResolver {
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
    async resolve(contract) {
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
      resolve({ fault: new Error(`The chain has not told within ${timeoutMs} ms`) });
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
