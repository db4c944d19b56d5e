import { type Hex, parseHex } from '../../values/hex.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { PresentContract } from './contract-code-source.ts';
import type { JsonRpcClient } from './json-rpc-client.ts';
import type { RpcEndpoint } from './json-rpc-endpoint.ts';
import { isTransactionHash } from './transaction-hash.ts';

/** Whose creation is sought, where, and until when. */
export interface CreationSearch {
  readonly rpc: JsonRpcClient;
  readonly contract: PresentContract;
  readonly signal: AbortSignal;
}

const CALL_TRACER = { tracer: 'callTracer' };

/**
 * Reads the traces of one transaction on one endpoint.
 *
 * @returns null when the transaction did not create the contract, `untraced` when the endpoint has no trace of it.
 * @throws EndpointFault or RpcRefusal
 * @see contracts/verification-engine.md section 10.1
 */
export async function traceTransaction(
  { rpc, contract, signal }: CreationSearch,
  endpoint: RpcEndpoint,
  hash: Hex,
): Promise<TracedCreation | null | 'untraced'> {
  if (endpoint.trace === 'trace_transaction') {
    const traces = await rpc.callOne(endpoint, 'trace_transaction', [hash], signal);
    return Array.isArray(traces) && traces.length > 0 ? creationFromTraces(traces, contract) : 'untraced';
  }
  const frames = await rpc.callOne(endpoint, 'debug_traceTransaction', [hash, CALL_TRACER], signal);
  return isJsonObject(frames) ? creationFromCallFrames(frames, contract) : 'untraced';
}

/**
 * Finds the transaction of a block that created a contract with its present code, in the traces of the whole block.
 *
 * @param quantity number of the block, as JSON-RPC writes it
 * @param hashes all transactions of the block in their order
 * @returns null when none of them created it.
 * @throws EndpointFault or RpcRefusal
 * @see contracts/verification-engine.md section 10.2
 */
export async function traceBlock(
  { rpc, contract, signal }: CreationSearch,
  endpoint: RpcEndpoint,
  quantity: Hex,
  hashes: readonly Hex[],
): Promise<Hex | null> {
  if (endpoint.trace === 'trace_transaction') {
    const traces = await rpc.callOne(endpoint, 'trace_block', [quantity], signal);
    if (!Array.isArray(traces)) return null;
    const traced = new Set(traces.map((item) => (isJsonObject(item) ? item['transactionHash'] : null)));
    const found = creationFromTraces(traces, contract);
    return found !== null &&
      madeThePresent(
        found,
        hashes.every((hash) => traced.has(hash)),
      ) &&
      isTransactionHash(found.transactionHash)
      ? found.transactionHash
      : null;
  }
  const traced = await rpc.callOne(endpoint, 'debug_traceBlockByNumber', [quantity, CALL_TRACER], signal);
  if (!Array.isArray(traced)) return null;
  const creations = traced.flatMap((each: unknown, index) => {
    if (!isJsonObject(each)) return [];
    const found = creationFromCallFrames(each['result'], contract);
    // Servers that name no transaction answer in the order of the block.
    const hash = isTransactionHash(each['txHash']) ? each['txHash'] : (hashes[index] ?? null);
    return found === null ? [] : [{ ...found, hash, place: hash === null ? -1 : hashes.indexOf(hash) }];
  });
  const found = lastLife(creations.toSorted((one, other) => one.place - other.place));
  // A node says of a transaction that it could not be traced, or leaves it out.
  const isWhole =
    traced.length === hashes.length &&
    traced.every((each) => isJsonObject(each) && isJsonObject(each['result']) && !hasFailed(each));
  return found !== null && madeThePresent(found, isWhole) ? found.hash : null;
}

/**
 * Of the block that left the present code: what it made only once is that, whatever code a node prints for it.
 *
 * @param isWhole whether all transactions of the block were traced: one that was not may have made it again
 */
function madeThePresent(
  { isOnly, left }: Pick<TracedCreation, 'isOnly' | 'left'>,
  isWhole: boolean,
): boolean {
  return left !== 'other' || (isOnly && isWhole);
}

/** A creation in a trace. */
export interface TracedCreation {
  readonly creationCode: Uint8Array;
  /**
   * The code that it left, by the trace. Other than the present it is mostly that of an earlier life of the address; a
   * node may also print it in its own way.
   */
  readonly left: 'present' | 'other' | 'untold';
  /** Whether the trace has no other creation of the contract. */
  readonly isOnly: boolean;
  /** Of the item of a parity trace. */
  readonly transactionHash: unknown;
}

/**
 * Finds the creation of a contract in the answer of `trace_transaction` or `trace_block`.
 *
 * What a failed call did is undone, so items with an error and everything below them created nothing.
 *
 * @see contracts/verification-engine.md section 10.1
 */
export function creationFromTraces(traces: unknown, contract: PresentContract): TracedCreation | null {
  if (!Array.isArray(traces)) return null;
  const failed = failedCalls(traces);
  return lastLife(
    traces.flatMap((item: unknown) => {
      if (!isJsonObject(item) || item['type'] !== 'create' || isWithin(failed, item)) return [];
      const { result, action, transactionHash } = item;
      if (!isJsonObject(result) || !isJsonObject(action)) return [];
      return readCreation(contract, result['address'], action['init'], result['code'], transactionHash);
    }),
  );
}

/**
 * Finds the creation of a contract in the frames of the `callTracer`, creations inside creations too.
 *
 * A frame with an error and everything below it was undone and created nothing.
 *
 * @see contracts/verification-engine.md section 10.1
 */
export function creationFromCallFrames(root: unknown, contract: PresentContract): TracedCreation | null {
  const creations: TracedCreation[] = [];
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const frame = pending.pop();
    if (!isJsonObject(frame) || hasFailed(frame)) continue;
    const { type, to, input, output, calls } = frame as JsonObject;
    if (type === 'CREATE' || type === 'CREATE2')
      creations.push(...readCreation(contract, to, input, output, undefined));
    // One by one: a frame may have more calls than a function may have arguments.
    if (Array.isArray(calls)) for (const call of calls.toReversed()) pending.push(call);
  }
  return lastLife(creations);
}

/** A contract may be made, destroyed and made again within a block: the last creation of its present code counts. */
function lastLife<Creation extends Pick<TracedCreation, 'isOnly' | 'left'>>(
  creations: readonly Creation[],
): Creation | null {
  const found = creations.findLast(({ left }) => left !== 'other') ?? creations.at(-1);
  return found === undefined ? null : { ...found, isOnly: found.isOnly && creations.length === 1 };
}

/** @param left the code that the trace says was left there; not every node says so. */
function readCreation(
  { address, runtimeCode }: PresentContract,
  at: unknown,
  init: unknown,
  left: unknown,
  transactionHash: unknown,
): readonly TracedCreation[] {
  if (typeof at !== 'string' || at.toLowerCase() !== address) return [];
  const creationCode = readCode(init);
  if (creationCode === null) return [];
  const code = readCode(left);
  const isTold = code !== null && code.length > 0;
  const told = isTold && Buffer.compare(code, runtimeCode) === 0 ? 'present' : 'other';
  return [{ creationCode, left: isTold ? told : 'untold', isOnly: true, transactionHash }];
}

function readCode(value: unknown): Uint8Array | null {
  return typeof value === 'string' ? parseHex(value as Hex) : null;
}

/** Failed calls of traces by their places: the transaction, then the steps of `traceAddress`. */
interface CallTree {
  hasFailed: boolean;
  readonly calls: Map<unknown, CallTree>;
}

/** True for an item or frame of a trace that ended in an error: what it did is undone. */
function hasFailed(item: unknown): boolean {
  return isJsonObject(item) && (item['error'] ?? '') !== '';
}

/** Collects the failed calls in the answer of `trace_transaction` or `trace_block`. */
function failedCalls(traces: readonly unknown[]): CallTree {
  const root: CallTree = { hasFailed: false, calls: new Map() };
  for (const item of traces) {
    if (!isJsonObject(item) || !hasFailed(item)) continue;
    let at = root;
    for (const step of placeOf(item)) {
      const next = at.calls.get(step) ?? { hasFailed: false, calls: new Map() };
      at.calls.set(step, next);
      at = next;
    }
    at.hasFailed = true;
  }
  return root;
}

/** True for an item that failed and for everything below one. */
function isWithin(failed: CallTree, item: JsonObject): boolean {
  let at: CallTree | undefined = failed;
  for (const step of placeOf(item)) {
    at = at.calls.get(step);
    if (at === undefined) return false;
    if (at.hasFailed) return true;
  }
  return false;
}

/** A block has the items of many transactions. */
function* placeOf({ transactionHash, transactionPosition, traceAddress }: JsonObject): Generator<unknown> {
  yield transactionHash ?? transactionPosition;
  if (Array.isArray(traceAddress)) yield* traceAddress;
}
