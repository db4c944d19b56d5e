import { type Hex, parseHex } from '../../values/hex.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { ChainUnavailableError } from './chain-unavailable-error.ts';
import type { ContractCodeSource, ContractCreation, PresentContract } from './contract-code-source.ts';
import { hadCode, isFailedReceipt, searchCreationTransaction } from './creation-search.ts';
import { hostOf, type JsonRpcClient } from './json-rpc-client.ts';
import { EndpointFault, RpcRefusal } from './json-rpc-endpoint.ts';
import type { TracedCreation } from './transaction-traces.ts';
import { traceTransaction } from './transaction-traces.ts';

/**
 * Reads contracts through JSON-RPC.
 *
 * @param searchesCreation false: a creation transaction that nobody names stays unknown.
 * @see contracts/verification-engine.md section 10
 */
export function createRpcChain(rpc: JsonRpcClient, searchesCreation: boolean): ContractCodeSource {
  return {
    async runtimeCode(address, signal) {
      const code = readBytes(await rpc.call('eth_getCode', [address, 'latest'], signal));
      if (code === null) throw new ChainUnavailableError('eth_getCode', ['no endpoint responded']);
      return code;
    },
    async creation(contract, transactionHash, signal) {
      const isSearched = searchesCreation && transactionHash === null;
      const hash = isSearched ? await searchCreationTransaction(rpc, contract, signal) : transactionHash;
      if (hash === null) return null;
      const creation = await readCreation(rpc, contract, hash, signal);
      if (creation === null || isSearched || creation.life === 'earlier') return creation;
      return { ...creation, life: await lifeAfter(rpc, contract, creation.blockNumber, signal) };
    },
  };
}

const NEEDS_TRACES =
  'A contract that another contract created needs the traces of its transaction, which no endpoint of this chain gives.';

async function lifeAfter(
  rpc: JsonRpcClient,
  contract: PresentContract,
  block: bigint | null,
  signal: AbortSignal,
): Promise<ContractCreation['life']> {
  if (block === null) return 'unknown';
  try {
    return (await hadCode(rpc, contract, block, signal)) ? 'present' : 'earlier';
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    return 'unknown';
  }
}

/** Of a searched transaction, `life` is proven by the search; of a named one, traces may tell that it is over. */
async function readCreation(
  rpc: JsonRpcClient,
  contract: PresentContract,
  hash: Hex,
  signal: AbortSignal,
): Promise<ContractCreation | null> {
  const [transaction, receipt] = await Promise.all([
    rpc.call('eth_getTransactionByHash', [hash], signal),
    rpc.call('eth_getTransactionReceipt', [hash], signal),
  ]);
  if (!isJsonObject(transaction) || !isJsonObject(receipt) || isFailedReceipt(receipt)) return null;
  const isDirect = String(receipt['contractAddress']).toLowerCase() === contract.address;
  if (!isDirect && rpc.endpoints.every(({ trace }) => trace === null)) {
    throw new ChainUnavailableError('traces', ['no endpoint has them'], { advice: NEEDS_TRACES });
  }
  // A constructor can create further contracts, so another address in the receipt does not end the search.
  const traced = isDirect ? null : await readTraces(rpc, contract, hash, signal);
  const creationCode = isDirect ? readBytes(transaction['input']) : (traced?.creationCode ?? null);
  if (creationCode === null) return null;
  return {
    creationCode,
    transactionHash: hash,
    blockNumber: readQuantity(receipt, transaction, 'blockNumber'),
    transactionIndex: toSafeNumber(readQuantity(receipt, transaction, 'transactionIndex')),
    deployer: readAddress(transaction['from']),
    life: traced?.isPresent === false ? 'earlier' : 'present',
  };
}

async function readTraces(
  rpc: JsonRpcClient,
  contract: PresentContract,
  hash: Hex,
  signal: AbortSignal,
): Promise<TracedCreation | null> {
  const reasons: string[] = [];
  for (const endpoint of rpc.endpoints) {
    if (endpoint.trace === null) continue;
    try {
      const creation = await traceTransaction(rpc, endpoint, hash, contract, signal);
      if (creation !== null) return creation;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EndpointFault || error instanceof RpcRefusal)) throw error;
      reasons.push(`${hostOf(endpoint.url)}: ${error.message}`);
    }
  }
  if (reasons.length > 0) throw new ChainUnavailableError('traces', reasons, { advice: NEEDS_TRACES });
  return null;
}

function readBytes(value: unknown): Uint8Array | null {
  return typeof value === 'string' && value.startsWith('0x') ? parseHex(value) : null;
}

/** Null for anything that is no number the database can hold: nodes may answer what they like. */
function readQuantity(receipt: JsonObject, transaction: JsonObject, member: string): bigint | null {
  const text = receipt[member] ?? transaction[member];
  if (typeof text !== 'string' || !/^0x[0-9a-fA-F]{1,16}$/.test(text)) return null;
  const quantity = BigInt(text);
  return quantity > MAX_INT64 ? null : quantity;
}

function toSafeNumber(quantity: bigint | null): number | null {
  return quantity === null || quantity > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(quantity);
}

function readAddress(value: unknown): Hex | null {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? (value.toLowerCase() as Hex) : null;
}
