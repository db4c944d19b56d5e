import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { type Environment, fillHeaders } from '../../values/request-headers.ts';
import { type PlainAddress, splitCredentials } from '../url-credentials.ts';

/** The configuration of the chains cannot be used. */
export class ChainConfigError extends LedgerlensError {
  constructor(where: string, problem: string) {
    super('invalid_chain_configuration', `VERIFY_CHAINS: ${where}: ${problem}`, { details: { where } });
  }
}

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

/** Code of one contract, given by the operator. */
export type StaticCode = Static<typeof StaticCode>;

const Chain = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1 })),
    title: Type.Optional(Type.String({ minLength: 1 })),
    rpc: Type.Optional(Type.Array(Type.Union([Type.String(), Endpoint]))),
    supported: Type.Optional(Type.Boolean()),
    showRpc: Type.Optional(Type.Boolean()),
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
  /** True: `GET /chains` shows addresses of nodes even when their name or path may hold a key. */
  readonly showRpc: boolean;
  /** Code comes from the ledger that the server imported. */
  readonly ledger: boolean;
  /** Code given by the operator, keyed by address as written; null: the chain takes none. */
  readonly static: Readonly<Record<string, StaticCode>> | null;
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

/**
 * Reads the JSON text of `VERIFY_CHAINS`: an object keyed by decimal chain id.
 *
 * `${NAME}` in a header value is replaced by the environment variable of that name.
 *
 * @throws ChainConfigError naming the place and what is allowed.
 * @see contracts/verification-api.md section 10
 */
export function parseChains(jsonText: string, environment: Environment = {}): readonly ChainSettings[] {
  return entriesOf(jsonText).map(([chainId, chain]) => readChain(chainId, chain, environment));
}

/** What keeps {@link parseChains} from reading the text: one problem for each chain that has one. */
export function problemsOfChains(jsonText: string, environment: Environment = {}): readonly string[] {
  const problemOf = (read: () => unknown): readonly string[] => {
    try {
      read();
      return [];
    } catch (error) {
      if (error instanceof ChainConfigError) return [error.message];
      throw error;
    }
  };
  const unreadable = problemOf(() => entriesOf(jsonText));
  if (unreadable.length > 0) return unreadable;
  return entriesOf(jsonText).flatMap(([id, chain]) => problemOf(() => readChain(id, chain, environment)));
}

function entriesOf(jsonText: string): readonly (readonly [chainId: string, chain: unknown])[] {
  let chains: unknown;
  try {
    chains = JSON.parse(jsonText);
  } catch (error) {
    throw new ChainConfigError('the text', error instanceof Error ? error.message : 'is not JSON');
  }
  if (typeof chains !== 'object' || chains === null || Array.isArray(chains)) {
    throw new ChainConfigError(
      'the text',
      'must be an object keyed by chain id, such as {"31337":{"rpc":[…]}}',
    );
  }
  return Object.entries(chains);
}

/** The first mistake; for an endpoint, which may be a text or an object, the one inside the object. */
function describeMistake(chain: unknown): { readonly path: string; readonly message: string } {
  const [first] = Value.Errors(Chain, chain);
  if (first === undefined) return { path: '', message: 'is not of the expected form' };
  if (!/^\/rpc\/\d+$/.test(first.path)) return first;
  const [inside] = Value.Errors(Endpoint, first.value);
  if (typeof first.value !== 'object' || inside === undefined) {
    return { path: first.path, message: 'must be an address or an object with "url"' };
  }
  const message =
    inside.path === '/trace' ? 'must be "trace_transaction" or "debug_traceTransaction"' : inside.message;
  return { path: `${first.path}${inside.path}`, message };
}

function readChain(chainId: string, chain: unknown, environment: Environment): ChainSettings {
  if (!CHAIN_ID.test(chainId)) {
    throw new ChainConfigError(`"${chainId}"`, 'the key must be a decimal chain id without leading zeros');
  }
  if (!Number.isSafeInteger(Number(chainId))) {
    // `GET /chains` gives it as a number.
    throw new ChainConfigError(`"${chainId}"`, `the chain id must be at most ${Number.MAX_SAFE_INTEGER}`);
  }
  if (!Value.Check(Chain, chain)) {
    const { path, message } = describeMistake(chain);
    throw new ChainConfigError(`${chainId}${path}`, message);
  }
  const rpc = (chain.rpc ?? []).map((each) =>
    readEndpoint(chainId, typeof each === 'string' ? { url: each } : each, environment),
  );
  for (const address of Object.keys(chain.static ?? {})) requireAddress(chainId, address);
  if (rpc.length === 0 && chain.ledger !== true && chain.static === undefined) {
    throw new ChainConfigError(chainId, 'needs "rpc", "ledger" or "static", otherwise no code can be read');
  }
  return {
    chainId,
    name: chain.name ?? BUILT_IN_NAMES[chainId] ?? `Chain ${chainId}`,
    title: chain.title ?? null,
    rpc,
    supported: chain.supported ?? true,
    showRpc: chain.showRpc ?? false,
    ledger: chain.ledger ?? false,
    static: chain.static ?? null,
  };
}

function requireAddress(chainId: string, address: string): void {
  if (Value.Check(Address, address)) return;
  throw new ChainConfigError(`${chainId}/static/${address}`, 'the key must be 0x and 40 hex digits');
}

/** Checks code that is given while the server runs. @throws ChainConfigError naming the place. */
export function requireStaticCode(chainId: string, address: string, code: unknown): void {
  requireAddress(chainId, address);
  const [first] = Value.Errors(StaticCode, code);
  if (first !== undefined) {
    throw new ChainConfigError(`${chainId}/static/${address}${first.path}`, first.message);
  }
}

/**
 * Checks the address and headers of an endpoint and makes them fit for sending: variables are filled in,
 * credentials in the address become a header.
 *
 * @throws ChainConfigError
 * @see contracts/verification-api.md section 10
 */
function readEndpoint(chainId: string, endpoint: Static<typeof Endpoint>, environment: Environment) {
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
