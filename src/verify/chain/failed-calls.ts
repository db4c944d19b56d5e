import { isJsonObject, type JsonObject } from '../json-object.ts';

/** Failed calls of traces by their places: the transaction, then the steps of `traceAddress`. */
interface CallTree {
  hasFailed: boolean;
  readonly calls: Map<unknown, CallTree>;
}

/** True for an item or frame of a trace that ended in an error: what it did is undone. */
export function hasFailed(item: unknown): boolean {
  return isJsonObject(item) && (item['error'] ?? '') !== '';
}

/** Collects the failed calls in the answer of `trace_transaction` or `trace_block`. */
export function failedCalls(traces: readonly unknown[]): CallTree {
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
export function isWithin(failed: CallTree, item: JsonObject): boolean {
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
