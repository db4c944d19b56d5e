import { type Hex, parseHex } from '../../values/hex.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { failedCalls, hasFailed, isWithin } from './failed-calls.ts';

/**
 * Finds the creation code of a contract in the answer of `trace_transaction`.
 *
 * @see contracts/verification-engine.md section 10.1
 */
export function creationFromTraces(traces: unknown, address: Hex): Uint8Array | null {
  const item = findCreateTrace(traces, address);
  return item === null ? null : readCode(item.action['init']);
}

/**
 * Finds the item that created a contract in the answer of `trace_transaction` or `trace_block`.
 *
 * What a failed call did is undone, so items with an error and everything below them created nothing.
 */
export function findCreateTrace(
  traces: unknown,
  address: Hex,
): { readonly action: JsonObject; readonly transactionHash: unknown } | null {
  if (!Array.isArray(traces)) return null;
  const failed = failedCalls(traces);
  for (const item of traces) {
    if (!isJsonObject(item) || item['type'] !== 'create' || isWithin(failed, item)) continue;
    const { result, action } = item as { readonly result?: unknown; readonly action?: unknown };
    if (!isJsonObject(result) || !isJsonObject(action) || !isAddress(result['address'], address)) continue;
    return { action, transactionHash: item['transactionHash'] };
  }
  return null;
}

/**
 * Finds the creation code of a contract in the frames of the `callTracer`, creations inside creations too.
 *
 * A frame with an error and everything below it was undone and created nothing.
 *
 * @see contracts/verification-engine.md section 10.1
 */
export function creationFromCallFrames(root: unknown, address: Hex): Uint8Array | null {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const frame = pending.pop();
    if (!isJsonObject(frame) || hasFailed(frame)) continue;
    const isCreation = frame['type'] === 'CREATE' || frame['type'] === 'CREATE2';
    if (isCreation && isAddress(frame['to'], address)) return readCode(frame['input']);
    const calls = frame['calls'];
    // One by one: a frame may have more calls than a function may have arguments.
    if (Array.isArray(calls)) for (const call of calls.toReversed()) pending.push(call);
  }
  return null;
}

function isAddress(value: unknown, address: Hex): boolean {
  return typeof value === 'string' && value.toLowerCase() === address;
}

function readCode(value: unknown): Uint8Array | null {
  return typeof value === 'string' ? parseHex(value) : null;
}
