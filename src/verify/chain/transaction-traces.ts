import type { Hex } from '../../values/hex.ts';
import { isJsonObject } from '../json-object.ts';
import type { PresentContract } from './contract-code-source.ts';
import {
  creationFromCallFrames,
  creationFromTraces,
  lastLife,
  type TracedCreation,
} from './creation-traces.ts';
import type { JsonRpcClient } from './json-rpc-client.ts';
import type { RpcEndpoint } from './json-rpc-endpoint.ts';
import { isTransactionHash } from './transaction-hash.ts';

const CALL_TRACER = { tracer: 'callTracer' };

/**
 * Reads the traces of one transaction on one endpoint.
 *
 * @returns null when the transaction did not create the contract.
 * @throws EndpointFault or RpcRefusal
 * @see contracts/verification-engine.md section 10.1
 */
export async function traceTransaction(
  rpc: JsonRpcClient,
  endpoint: RpcEndpoint,
  hash: Hex,
  contract: PresentContract,
  signal: AbortSignal,
): Promise<TracedCreation | null> {
  if (endpoint.trace === 'trace_transaction') {
    return creationFromTraces(await rpc.callOne(endpoint, 'trace_transaction', [hash], signal), contract);
  }
  const frames = await rpc.callOne(endpoint, 'debug_traceTransaction', [hash, CALL_TRACER], signal);
  return creationFromCallFrames(frames, contract);
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
  rpc: JsonRpcClient,
  endpoint: RpcEndpoint,
  quantity: Hex,
  hashes: readonly Hex[],
  contract: PresentContract,
  signal: AbortSignal,
): Promise<Hex | null> {
  if (endpoint.trace === 'trace_transaction') {
    const found = creationFromTraces(
      await rpc.callOne(endpoint, 'trace_block', [quantity], signal),
      contract,
    );
    return found?.isPresent === true && isTransactionHash(found.transactionHash)
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
    return found === null
      ? []
      : [{ isPresent: found.isPresent, hash, place: hash === null ? -1 : hashes.indexOf(hash) }];
  });
  const found = lastLife(creations.toSorted((one, other) => one.place - other.place));
  return found?.isPresent === true ? found.hash : null;
}
