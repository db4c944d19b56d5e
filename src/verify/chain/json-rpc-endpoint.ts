import { isJsonObject } from '../json-object.ts';

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

/** Largest answer that is read, bytes. Code is at most 24 KiB; blocks and traces are larger. */
const MAX_ANSWER_BYTES = 33_554_432;

/**
 * Sends one JSON-RPC call and returns its result. Redirects are not followed.
 *
 * @throws EndpointFault or RpcRefusal
 */
export async function callEndpoint(
  fetch: Fetch,
  endpoint: RpcEndpoint,
  method: string,
  params: readonly unknown[],
  signal?: AbortSignal,
): Promise<unknown> {
  const limit = AbortSignal.timeout(endpoint.timeoutMs);
  let text: string;
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...endpoint.headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      redirect: 'error',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    text = await readLimited(response);
    if (!response.ok) throw new EndpointFault(`HTTP status ${response.status}`);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof EndpointFault) throw cause;
    throw new EndpointFault(describeFault(cause, endpoint.timeoutMs), { cause });
  }
  return readAnswer(text);
}

function readAnswer(text: string): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (cause) {
    throw new EndpointFault('the answer is no JSON', { cause });
  }
  if (!isJsonObject(answer)) throw new EndpointFault('the answer is no JSON object');
  const { error } = answer as { readonly error?: unknown };
  if (isJsonObject(error)) throw new RpcRefusal(String(error['message'] ?? 'error without message'));
  return answer['result'] ?? null;
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes: Uint8Array = chunk;
    size += bytes.length;
    // Leaving the loop cancels the stream.
    if (size > MAX_ANSWER_BYTES)
      throw new EndpointFault(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function describeFault(cause: unknown, timeoutMs: number): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  return cause.cause instanceof Error ? `${cause.message} (${cause.cause.message})` : cause.message;
}
