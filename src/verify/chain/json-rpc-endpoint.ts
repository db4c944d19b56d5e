import { hideSecrets, secretsIn } from '../../values/secrets.ts';
import { timeLimit } from '../../values/time-limit.ts';
import { shorten } from '../errors.ts';
import { isJsonObject, parseJsonObject } from '../json-object.ts';

/** The part of `fetch` that is used; passed in, so that tests need no network. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One JSON-RPC address of a chain. */
export interface RpcEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Time-out of one call, milliseconds. */
  readonly timeoutMs: number;
  /** Method that answers traces; null when the endpoint has none. */
  readonly trace: TraceMethod | null;
}

export type TraceMethod = 'trace_transaction' | 'debug_traceTransaction';

/** The endpoint did not answer as a JSON-RPC server: time-out, network, HTTP status, size or form. */
export class EndpointFault extends Error {}
/** The endpoint answered with a JSON-RPC error. */
export class RpcRefusal extends Error {}

const REQUEST_ID = 1;
const TOO_MANY_REQUESTS = 429;

/**
 * Sends one JSON-RPC call and returns its result; null when the endpoint knows of none. Redirects are not followed, and
 * of the endpoint's own words keys and passwords are left out.
 *
 * @throws EndpointFault or RpcRefusal; the reason of `signal` when that fires.
 */
export async function callEndpoint(
  fetch: Fetch,
  endpoint: RpcEndpoint,
  method: string,
  params: readonly unknown[],
  signal?: AbortSignal,
): Promise<unknown> {
  const { end, signal: limit } = timeLimit(endpoint.timeoutMs, signal);
  const expected = rpcMethod(method);
  let response: Response;
  let text: string;
  try {
    response = await fetch(endpoint.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...endpoint.headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: REQUEST_ID, method, params }),
      redirect: 'error',
      signal: limit,
    });
    text = await readLimited(response, expected.maxBytes, limit);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof EndpointFault) throw cause;
    throw new EndpointFault(hideSecrets(secretsIn(endpoint))(describeFault(cause, endpoint.timeoutMs)), {
      cause,
    });
  } finally {
    end();
  }
  return readAnswer(response, text, expected, endpoint);
}

function readAnswer(
  { ok, status }: Response,
  text: string,
  expected: RpcMethod,
  endpoint: RpcEndpoint,
): unknown {
  if (status === TOO_MANY_REQUESTS) throw new EndpointFault(`HTTP status ${status}`);
  const answer = parseJsonObject(text);
  // Some servers send the errors of JSON-RPC with a status of their own.
  const error = answer?.['error'] ?? null;
  if (error !== null) throw new RpcRefusal(describeRefusal(error, endpoint));
  if (!ok) throw new EndpointFault(`HTTP status ${status}`);
  if (answer === null) throw new EndpointFault('the response is not a JSON object');
  const id = answer['id'] ?? REQUEST_ID;
  if (id !== REQUEST_ID) throw new EndpointFault('the response belongs to another call');
  const result = answer['result'] ?? null;
  if (result !== null && !expected.isResult(result))
    throw new EndpointFault('the result is not of the expected form');
  return result;
}

/** The signal ends a body that comes too slowly, also one that is not bound to it. */
async function readLimited(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const cancel = () => {
    // The connection is given up anyway; how that ends is of no interest.
    reader.cancel().catch(() => {});
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return Buffer.concat(chunks).toString('utf8');
      size += value.length;
      if (size > maxBytes) throw new EndpointFault(`the response is larger than ${maxBytes} bytes`);
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

function describeRefusal(error: unknown, endpoint: RpcEndpoint): string {
  const message = isJsonObject(error) ? error['message'] : error;
  return typeof message === 'string'
    ? shorten(hideSecrets(secretsIn(endpoint))(message))
    : 'error without message';
}

function describeFault(cause: unknown, timeoutMs: number): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === 'TimeoutError') return `no response within ${timeoutMs} ms`;
  return cause.cause instanceof Error ? `${cause.message} (${cause.cause.message})` : cause.message;
}

/** What is accepted as the answer of a method. */
interface RpcMethod {
  /** Largest answer that is read, bytes after decompression. */
  readonly maxBytes: number;
  /** Whether a result other than null has the form that the method promises. */
  readonly isResult: (result: unknown) => boolean;
}

const KIB = 1024;
const MIB = 1024 * KIB;

const isQuantity = (result: unknown): boolean =>
  typeof result === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(result);
const isBytes = (result: unknown): boolean =>
  typeof result === 'string' && result.length % 2 === 0 && /^0x[0-9a-fA-F]*$/.test(result);
const isTrace = (result: unknown): boolean => isJsonObject(result) || Array.isArray(result);

/** Code is limited to 24 KiB on most chains and to a few times that on others; two digits a byte. */
const BYTES: RpcMethod = { maxBytes: 4 * MIB, isResult: isBytes };
const QUANTITY: RpcMethod = { maxBytes: 64 * KIB, isResult: isQuantity };
const TRACE: RpcMethod = { maxBytes: 32 * MIB, isResult: isTrace };

const METHODS: Readonly<Record<string, RpcMethod>> = {
  eth_chainId: QUANTITY,
  eth_blockNumber: QUANTITY,
  eth_getCode: BYTES,
  eth_getStorageAt: QUANTITY,
  eth_call: BYTES,
  eth_getLogs: { maxBytes: 16 * MIB, isResult: Array.isArray },
  eth_getTransactionByHash: { maxBytes: 8 * MIB, isResult: isJsonObject },
  eth_getTransactionReceipt: { maxBytes: 16 * MIB, isResult: isJsonObject },
  eth_getBlockByNumber: { maxBytes: 32 * MIB, isResult: isJsonObject },
  trace_transaction: TRACE,
  trace_block: TRACE,
  debug_traceTransaction: TRACE,
  debug_traceBlockByNumber: TRACE,
};

const OTHER: RpcMethod = { maxBytes: 4 * MIB, isResult: () => true };

/** Size and form of the answers of a JSON-RPC method. @see contracts/verification-engine.md section 10.3 */
function rpcMethod(name: string): RpcMethod {
  return METHODS[name] ?? OTHER;
}
