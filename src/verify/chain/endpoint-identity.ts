import {
  callEndpoint,
  EndpointFault,
  type Fetch,
  type RpcEndpoint,
  RpcRefusal,
} from './json-rpc-endpoint.ts';

/** An endpoint that serves another chain than it was configured for. */
export interface WrongChain {
  readonly endpoint: RpcEndpoint;
  /** Decimal chain id that the endpoint gives. */
  readonly actual: string;
}

/** Knows which endpoints have shown that they serve their chain. */
interface EndpointIdentities {
  /**
   * Asks an endpoint for its chain id, once until it is forgotten.
   *
   * An endpoint that refuses to tell is believed: not every server of JSON-RPC has the method.
   *
   * @throws EndpointFault when it serves another chain or does not answer.
   */
  confirm(endpoint: RpcEndpoint): Promise<void>;
  /** Lets the next call ask again: another server may answer there after a failure. */
  forget(endpoint: RpcEndpoint): void;
}

/**
 * @param chainId decimal
 * @param onWrongChain told once per endpoint and id that it gives
 */
export function createEndpointIdentities(
  fetch: Fetch,
  chainId: string,
  onWrongChain: (found: WrongChain) => void,
): EndpointIdentities {
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
    confirm(endpoint) {
      const known = confirmed.get(endpoint);
      if (known !== undefined) return known;
      const asked = ask(endpoint).catch((error: unknown) => {
        confirmed.delete(endpoint);
        throw error;
      });
      confirmed.set(endpoint, asked);
      return asked;
    },
    forget(endpoint) {
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
