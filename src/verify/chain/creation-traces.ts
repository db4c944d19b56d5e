import { type Hex, parseHex } from '../../values/hex.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { PresentContract } from './contract-code-source.ts';
import { failedCalls, hasFailed, isWithin } from './failed-calls.ts';

/** A creation in a trace. */
export interface TracedCreation {
  readonly creationCode: Uint8Array;
  /** False when the trace shows that it left other code than the present: an earlier life of the address. */
  readonly isPresent: boolean;
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
export function lastLife<Creation extends Pick<TracedCreation, 'isPresent'>>(
  creations: readonly Creation[],
): Creation | null {
  return creations.findLast(({ isPresent }) => isPresent) ?? creations.at(-1) ?? null;
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
  const isPresent = code === null || code.length === 0 || Buffer.compare(code, runtimeCode) === 0;
  return [{ creationCode, isPresent, transactionHash }];
}

function readCode(value: unknown): Uint8Array | null {
  return typeof value === 'string' ? parseHex(value as Hex) : null;
}
