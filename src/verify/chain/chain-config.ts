import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';

const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });
const Code = Type.String({ pattern: '^0x(?:[0-9a-fA-F]{2})*$' });
const Trace = Type.Union([Type.Literal('trace_transaction'), Type.Literal('debug_traceTransaction')]);

const Endpoint = Type.Object(
  {
    url: Type.String(),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    trace: Type.Optional(Trace),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 600_000 })),
  },
  { additionalProperties: false },
);

const StaticCode = Type.Object(
  {
    runtimeBytecode: Code,
    creationBytecode: Type.Optional(Code),
    creationTransactionHash: Type.Optional(Type.String({ pattern: '^0x[0-9a-f]{64}$' })),
    deployer: Type.Optional(Address),
    blockNumber: Type.Optional(Type.Integer({ minimum: 0 })),
    transactionIndex: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { additionalProperties: false },
);

const Chain = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1 })),
    title: Type.Optional(Type.String({ minLength: 1 })),
    rpc: Type.Optional(Type.Array(Type.Union([Type.String(), Endpoint]))),
    supported: Type.Optional(Type.Boolean()),
    ledger: Type.Optional(Type.Literal(true)),
    static: Type.Optional(Type.Record(Type.String(), StaticCode)),
  },
  { additionalProperties: false },
);

/** One chain as the operator configured it; endpoints are always in the long form. */
export interface ChainSettings {
  readonly chainId: string;
  readonly name: string;
  readonly title: string | null;
  readonly rpc: readonly Static<typeof Endpoint>[];
  /** False: lookups only, no new verifications. */
  readonly supported: boolean;
  /** Code comes from the ledger that the server imported. */
  readonly ledger: boolean;
  /** Code given by the operator, keyed by address as written. */
  readonly static: Readonly<Record<string, Static<typeof StaticCode>>>;
}

/** Names of chains that need no `name`. @see contracts/verification-api.md section 10 */
const BUILT_IN_NAMES: Readonly<Record<string, string>> = {
  '295': 'Hedera Mainnet',
  '296': 'Hedera Testnet',
  '297': 'Hedera Previewnet',
  '298': 'Hedera Localnet',
  '1337': 'Local Development Network',
  '31337': 'Local Development Network',
};

const CHAIN_ID = /^(?:0|[1-9]\d{0,19})$/;

/** The configuration of the chains cannot be used. */
export class ChainConfigError extends LedgerlensError {
  constructor(where: string, problem: string) {
    super('invalid_chain_configuration', `VERIFY_CHAINS: ${where}: ${problem}`, { details: { where } });
  }
}

/**
 * Reads the JSON text of `VERIFY_CHAINS`: an object keyed by decimal chain id.
 *
 * `${NAME}` in a header value is replaced by the environment variable of that name.
 *
 * @throws ChainConfigError naming the place and what is allowed.
 * @see contracts/verification-api.md section 10
 */
export function parseChains(
  jsonText: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): readonly ChainSettings[] {
  let chains: unknown;
  try {
    chains = JSON.parse(jsonText);
  } catch (error) {
    throw new ChainConfigError('the text', error instanceof Error ? error.message : 'is no JSON');
  }
  if (typeof chains !== 'object' || chains === null || Array.isArray(chains)) {
    throw new ChainConfigError(
      'the text',
      'must be an object keyed by chain id, such as {"31337":{"rpc":[…]}}',
    );
  }
  return Object.entries(chains).map(([chainId, chain]) => readChain(chainId, chain, environment));
}

function readChain(
  chainId: string,
  chain: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): ChainSettings {
  if (!CHAIN_ID.test(chainId)) {
    throw new ChainConfigError(`"${chainId}"`, 'the key must be a decimal chain id without leading zeros');
  }
  if (!Value.Check(Chain, chain)) {
    const [first] = Value.Errors(Chain, chain);
    throw new ChainConfigError(`${chainId}${first?.path ?? ''}`, first?.message ?? 'has another form');
  }
  const rpc = (chain.rpc ?? []).map((each) => {
    const endpoint = typeof each === 'string' ? { url: each } : each;
    checkUrl(chainId, endpoint.url);
    const { url, authorization } = splitCredentials(chainId, endpoint.url);
    const headers = readHeaders(chainId, endpoint.headers ?? {}, environment);
    if (authorization === null) return { ...endpoint, url, headers };
    if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) {
      throw new ChainConfigError(
        `${chainId}/rpc`,
        'give either credentials in the url or an authorization header',
      );
    }
    return { ...endpoint, url, headers: { ...headers, authorization } };
  });
  for (const address of Object.keys(chain.static ?? {})) {
    if (!Value.Check(Address, address)) {
      throw new ChainConfigError(`${chainId}/static/${address}`, 'the key must be 0x and 40 hex digits');
    }
  }
  if (rpc.length === 0 && chain.ledger !== true && chain.static === undefined) {
    throw new ChainConfigError(chainId, 'needs "rpc", "ledger" or "static", otherwise no code can be read');
  }
  return {
    chainId,
    name: chain.name ?? BUILT_IN_NAMES[chainId] ?? `Chain ${chainId}`,
    title: chain.title ?? null,
    rpc,
    supported: chain.supported ?? true,
    ledger: chain.ledger ?? false,
    static: chain.static ?? {},
  };
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

/** `fetch` takes no credentials in an address; `Basic` is what they mean. */
function splitCredentials(
  chainId: string,
  text: string,
): { readonly url: string; readonly authorization: string | null } {
  const url = new URL(text);
  const { username, password } = url;
  if (username === '' && password === '') return { url: text, authorization: null };
  let credentials: string;
  try {
    credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    throw new ChainConfigError(`${chainId}/rpc`, 'the credentials in the url have a broken %-sequence');
  }
  url.username = '';
  url.password = '';
  return { url: url.href, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function readHeaders(
  chainId: string,
  headers: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
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
