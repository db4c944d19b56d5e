import { type Hex, parseHex } from '../../values/hex.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { ChainUnavailableError } from './chain-unavailable-error.ts';
import type { ContractCodeSource, ContractCreation, PresentContract } from './contract-code-source.ts';
import { findCreation, hadCode, isFailedReceipt, searchCreationTransaction } from './creation-search.ts';
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
      const found = await readCreation(rpc, contract, hash, signal);
      if (found === null) return null;
      const { creation } = found;
      return isSearched ? creation : { ...creation, life: await lifeOf(rpc, contract, found, signal) };
    },
  };
}

const NEEDS_TRACES =
  'A contract that another contract created needs the traces of its transaction, which no endpoint of this chain gives.';

/** A transaction that was read as a creation. */
interface ReadCreation {
  /** Its `life` is that of one that was searched. */
  readonly creation: ContractCreation;
  /** What the traces say, where they were needed. */
  readonly left: TracedCreation['left'];
}

/** Of a creation that somebody names: an address may be made several times, also within a block. */
async function lifeOf(
  rpc: JsonRpcClient,
  contract: PresentContract,
  { creation: { blockNumber, transactionHash }, left }: ReadCreation,
  signal: AbortSignal,
): Promise<ContractCreation['life']> {
  const unread = left === 'other' ? 'earlier' : 'unknown';
  if (blockNumber === null) return unread;
  try {
    if (!(await hadCode(rpc, contract, blockNumber, signal))) return 'earlier';
    if (left === 'present') return 'present';
    const found = await findCreation(rpc, contract, blockNumber, signal);
    return found === transactionHash ? 'present' : 'earlier';
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    return unread;
  }
}

async function readCreation(
  rpc: JsonRpcClient,
  contract: PresentContract,
  hash: Hex,
  signal: AbortSignal,
): Promise<ReadCreation | null> {
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
  const creation: ContractCreation = {
    creationCode,
    transactionHash: hash,
    blockNumber: readQuantity(receipt, transaction, 'blockNumber'),
    transactionIndex: toSafeNumber(readQuantity(receipt, transaction, 'transactionIndex')),
    deployer: readAddress(transaction['from']),
    life: 'present',
  };
  return { creation, left: traced?.left ?? 'present' };
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
      if (creation !== null && creation !== 'untraced') return creation;
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
