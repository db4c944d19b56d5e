import { type PlainAddress, splitCredentials } from '../url-credentials.ts';
import { ChainConfigError } from './chain-config-error.ts';

/** Variables that `${NAME}` in a header may name. */
export type Environment = Readonly<Record<string, string | undefined>>;

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
  const headers = readHeaders(chainId, endpoint.headers ?? {}, environment);
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
      `"${url}" must be an address that begins with http:// or https://`,
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

function readHeaders(
  chainId: string,
  headers: Readonly<Record<string, string>>,
  environment: Environment,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, variable: string) => {
      const found = environment[variable];
      if (found === undefined) {
        throw new ChainConfigError(
          `${chainId}/rpc/headers/${name}`,
          `the environment variable ${variable} is not set`,
        );
      }
      return found;
    }),
  ]);
  for (const [name, value] of entries) {
    if (isHeader(name, value)) continue;
    throw new ChainConfigError(`${chainId}/rpc/headers/${name}`, 'cannot be sent as an HTTP header');
  }
  return Object.fromEntries(entries);
}

function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    // It throws for every name and value that HTTP does not allow.
    return false;
  }
}
