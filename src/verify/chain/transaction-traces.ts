import type { Hex } from '../../values/hex.ts';
import { isJsonObject } from '../json-object.ts';
import { creationFromCallFrames, creationFromTraces, findCreateTrace } from './creation-traces.ts';
import type { JsonRpcClient } from './json-rpc-client.ts';
import type { RpcEndpoint } from './json-rpc-endpoint.ts';
import { isTransactionHash } from './transaction-hash.ts';

const CALL_TRACER = { tracer: 'callTracer' };

/**
 * Reads the traces of one transaction on one endpoint.
 *
 * @returns the creation code of the contract; null when the transaction did not create it.
 * @throws EndpointFault or RpcRefusal
 * @see contracts/verification-engine.md section 10.1
 */
export async function traceTransaction(
  rpc: JsonRpcClient,
  endpoint: RpcEndpoint,
  hash: Hex,
  address: Hex,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  if (endpoint.trace === 'trace_transaction') {
    return creationFromTraces(await rpc.callOne(endpoint, 'trace_transaction', [hash], signal), address);
  }
  const frames = await rpc.callOne(endpoint, 'debug_traceTransaction', [hash, CALL_TRACER], signal);
  return creationFromCallFrames(frames, address);
}

/**
 * Finds the transaction of a block that created a contract, in the traces of the whole block.
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
  address: Hex,
  signal: AbortSignal,
): Promise<Hex | null> {
  if (endpoint.trace === 'trace_transaction') {
    const found = findCreateTrace(await rpc.callOne(endpoint, 'trace_block', [quantity], signal), address);
    return isTransactionHash(found?.transactionHash) ? found.transactionHash : null;
  }
  const traced = await rpc.callOne(endpoint, 'debug_traceBlockByNumber', [quantity, CALL_TRACER], signal);
  if (!Array.isArray(traced)) return null;
  const index = traced.findIndex(
    (each) => isJsonObject(each) && creationFromCallFrames(each['result'], address) !== null,
  );
  // Servers that name no transaction answer in the order of the block.
  const named: unknown = index < 0 ? null : traced[index]['txHash'];
  return isTransactionHash(named) ? named : (hashes[index] ?? null);
}
