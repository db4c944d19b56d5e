import { type Environment, fillHeaders } from '../../values/request-headers.ts';
import { type PlainAddress, splitCredentials } from '../url-credentials.ts';
import { ChainConfigError } from './chain-config-error.ts';

interface GivenEndpoint {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Checks the address and headers of an endpoint and makes them fit for sending: variables are filled in,
 * credentials in the address become a header.
 *
 * @throws ChainConfigError
 * @see contracts/verification-api.md section 10
 */
export function readEndpoint<T extends GivenEndpoint>(
  chainId: string,
  endpoint: T,
  environment: Environment,
): T & { readonly headers: Readonly<Record<string, string>> } {
  checkUrl(chainId, endpoint.url);
  const { url: plain, authorization } = readAddress(chainId, endpoint.url);
  // Without credentials it stays as it was written.
  const url = authorization === null ? endpoint.url : plain.href;
  const headers = fillHeaders(endpoint.headers ?? {}, environment, (name, reason) => {
    throw new ChainConfigError(`${chainId}/rpc/headers/${name}`, reason);
  });
  if (authorization === null) return { ...endpoint, url, headers };
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) {
    throw new ChainConfigError(
      `${chainId}/rpc`,
      'give either credentials in the url or an authorization header',
    );
  }
  return { ...endpoint, url, headers: { ...headers, authorization } };
}

function checkUrl(chainId: string, url: string): void {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new ChainConfigError(
      `${chainId}/rpc`,
      // Not repeated: it may hold a password or a key.
      'the address must begin with http:// or https://',
    );
  }
}

function readAddress(chainId: string, text: string): PlainAddress {
  try {
    return splitCredentials(new URL(text));
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    throw new ChainConfigError(`${chainId}/rpc`, 'the credentials in the url have a broken %-sequence');
  }
}
