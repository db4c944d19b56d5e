import type { Clock } from '../../values/clock.ts';
import { ChainUnavailableError } from './contract-code-source.ts';
import {
  callEndpoint,
  EndpointFault,
  type Fetch,
  type RpcEndpoint,
  RpcRefusal,
} from './json-rpc-endpoint.ts';

/** How long a failing endpoint is asked last, by number of failures in a row. */
const BACK_OFF_MS = [0, 10_000, 60_000, 600_000, 3_600_000, 86_400_000] as const;

/** Why a call failed: nothing usable came back, the node refused it, or it serves another chain. */
export type RpcFailure = 'unreachable' | 'refused' | 'wrong_chain';

/** What a client works with. */
interface JsonRpcClientParts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Decimal; an endpoint that gives another one is not used. */
  readonly chainId: string;
  readonly onWrongChain: (found: WrongChain) => void;
  /** Told of every call that failed. */
  readonly onFailure?: (reason: RpcFailure) => void;
}

/** Calls one of several endpoints of the same chain. */
export type JsonRpcClient = ReturnType<typeof createJsonRpcClient>;

/**
 * Creates a client that prefers endpoints which answered lately.
 *
 * An endpoint in back-off is still asked when the others fail: a chain with one endpoint must come back as
 * soon as that does. The chain id of an endpoint is asked for beside its first call and the first after a
 * failure, so that no job waits for it alone.
 *
 * @see contracts/verification-engine.md section 10.3
 */
export function createJsonRpcClient(
  endpoints: readonly RpcEndpoint[],
  { fetch, clock, chainId, onFailure = () => undefined, onWrongChain }: JsonRpcClientParts,
) {
  const failures = new Map<RpcEndpoint, { readonly count: number; readonly until: number }>();
  const identities = createEndpointIdentities(fetch, chainId, (found) => {
    onFailure('wrong_chain');
    onWrongChain(found);
  });

  const mark = (endpoint: RpcEndpoint) => {
    const count = (failures.get(endpoint)?.count ?? 0) + 1;
    const pause = BACK_OFF_MS[Math.min(count, BACK_OFF_MS.length) - 1] ?? 0;
    failures.set(endpoint, { count, until: clock.now() + pause });
    identities.forget(endpoint);
  };
  const inOrder = () => {
    const isResting = (endpoint: RpcEndpoint) => (failures.get(endpoint)?.until ?? 0) > clock.now();
    return [...endpoints.filter((each) => !isResting(each)), ...endpoints.filter(isResting)];
  };
  const ask = async (
    endpoint: RpcEndpoint,
    method: string,
    params: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<unknown> => {
    try {
      const [result] = await Promise.all([
        callEndpoint(fetch, endpoint, method, params, signal),
        identities.confirm(endpoint),
      ]);
      return result;
    } catch (error) {
      if (error instanceof EndpointFault) onFailure('unreachable');
      else if (error instanceof RpcRefusal) onFailure('refused');
      throw error;
    }
  };

  return {
    endpoints,
    /**
     * Asks the endpoints in order until one has a result.
     *
     * @returns null when every endpoint that answered says "not found" (a null result).
     * @throws ChainUnavailableError when no endpoint responded.
     */
    async call(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
      const reasons: string[] = [];
      let hasAnswer = false;
      for (const endpoint of inOrder()) {
        try {
          const result = await ask(endpoint, method, params, signal);
          failures.delete(endpoint);
          if (result !== null) return result;
          hasAnswer = true;
        } catch (error) {
          if (error instanceof EndpointFault) mark(endpoint);
          else if (!(error instanceof RpcRefusal)) throw error;
          reasons.push(`${hostOf(endpoint.url)}: ${error.message}`);
        }
      }
      if (hasAnswer) return null;
      throw new ChainUnavailableError(method, reasons);
    },
    /**
     * The same on one endpoint only, which is not put into back-off: traces may be too much for a good endpoint.
     *
     * @throws EndpointFault or RpcRefusal
     */
    callOne: ask,
  };
}

/** The part of an address that may be shown: paths and queries may hold keys. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'invalid address';
}

/** An endpoint that serves another chain than it was configured for. */
export interface WrongChain {
  readonly endpoint: RpcEndpoint;
  /** Decimal chain id that the endpoint gives. */
  readonly actual: string;
}

/**
 * Knows which endpoints have shown that they serve their chain.
 *
 * @param chainId decimal
 * @param onWrongChain told once per endpoint and id that it gives
 */
function createEndpointIdentities(fetch: Fetch, chainId: string, onWrongChain: (found: WrongChain) => void) {
  const confirmed = new Map<RpcEndpoint, Promise<void>>();
  const reported = new Map<RpcEndpoint, string>();

  const ask = async (endpoint: RpcEndpoint): Promise<void> => {
    const actual = await readChainId(fetch, endpoint);
    if (actual === null || actual === chainId) return;
    if (reported.get(endpoint) !== actual) {
      reported.set(endpoint, actual);
      onWrongChain({ endpoint, actual });
    }
    throw new EndpointFault(`serves chain ${actual}`);
  };

  return {
    /**
     * Asks an endpoint for its chain id, once until it is forgotten. One that refuses to tell is believed: not every server
     * of JSON-RPC has the method.
     *
     * @throws EndpointFault when it serves another chain or does not answer.
     */
    confirm(endpoint: RpcEndpoint): Promise<void> {
      const known = confirmed.get(endpoint);
      if (known !== undefined) return known;
      const asked = ask(endpoint).catch((error: unknown) => {
        confirmed.delete(endpoint);
        throw error;
      });
      confirmed.set(endpoint, asked);
      return asked;
    },
    /** Lets the next call ask again: another server may answer there after a failure. */
    forget(endpoint: RpcEndpoint): void {
      confirmed.delete(endpoint);
    },
  };
}

/**
 * The chain id that an endpoint gives, decimal; null when it refuses to tell.
 *
 * @throws EndpointFault when it does not answer.
 */
export async function readChainId(fetch: Fetch, endpoint: RpcEndpoint): Promise<string | null> {
  try {
    const result = await callEndpoint(fetch, endpoint, 'eth_chainId', []);
    return typeof result === 'string' ? BigInt(result).toString() : null;
  } catch (error) {
    if (error instanceof RpcRefusal) return null;
    throw error;
  }
}
