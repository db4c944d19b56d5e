import { type Hex, toHex } from '../../values/hex.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { PresentContract } from './contract-code-source.ts';
import type { JsonRpcClient } from './json-rpc-client.ts';
import { EndpointFault, type RpcEndpoint, RpcRefusal } from './json-rpc-endpoint.ts';
import { isTransactionHash } from './transaction-hash.ts';
import { traceBlock, traceTransaction } from './transaction-traces.ts';

/** Questions about transactions that are open at the same time while a block is searched. */
const AT_ONCE = 8;
/** A trace may have 32 MiB, and several times that in memory. */
const TRACES_AT_ONCE = 2;
const QUANTITY = /^0x[0-9a-fA-F]{1,16}$/;

interface BlockTransaction {
  readonly hash: Hex;
  /** True when the transaction itself is a creation. */
  readonly isCreation: boolean;
}

/**
 * Searches the transaction that created a contract: a block after which the present code lay at the address and before
 * which it did not, then the receipts of its creating transactions, then the traces of the block where an endpoint
 * has them.
 *
 * Whether there is code is no question to halve blocks by: a contract may have been destroyed and made anew.
 *
 * Needs a node that remembers old states. Contracts made by other contracts need traces; those that were
 * there from the genesis block on have no transaction.
 *
 * @returns null when the block has no such transaction, or the node has other code there.
 * @throws ChainUnavailableError when no endpoint knows the states, or an AbortError when `signal` fires.
 * @see contracts/verification-engine.md section 10.2
 */
export async function searchCreationTransaction(
  rpc: JsonRpcClient,
  { address, runtimeCode }: PresentContract,
  signal: AbortSignal,
): Promise<Hex | null> {
  const head = await rpc.call('eth_blockNumber', [], signal);
  if (typeof head !== 'string' || !QUANTITY.test(head)) return null;
  const hasCode = (block: bigint) => hadCode(rpc, { address, runtimeCode }, block, signal);
  const block = await blockOfChange(hasCode, BigInt(head));
  return block === null || block === 0n ? null : findCreation(rpc, { address, runtimeCode }, block, signal);
}

/**
 * Finds the transaction that made a contract, in the block that left the present code at the address.
 *
 * @returns null when the block has no such transaction, or traces do not tell which of several it was.
 * @throws ChainUnavailableError when no endpoint knows the block, or an AbortError when `signal` fires.
 */
export async function findCreation(
  rpc: JsonRpcClient,
  { address, runtimeCode }: PresentContract,
  block: bigint,
  signal: AbortSignal,
): Promise<Hex | null> {
  const quantity = toQuantity(block);
  const transactions = readTransactions(await rpc.call('eth_getBlockByNumber', [quantity, true], signal));
  const direct = await findInBatches(
    transactions.filter(({ isCreation }) => isCreation),
    async ({ hash }) => {
      const receipt = await rpc.call('eth_getTransactionReceipt', [hash], signal);
      if (!isJsonObject(receipt) || isFailedReceipt(receipt)) return false;
      return String(receipt['contractAddress']).toLowerCase() === address;
    },
  );
  return direct?.hash ?? searchTraces(rpc, { address, runtimeCode }, quantity, transactions, signal);
}

/** A transaction that failed created nothing, even where its receipt names an address. */
export function isFailedReceipt(receipt: JsonObject): boolean {
  return receipt['status'] === '0x0';
}

/**
 * Whether a block left the given code at an address.
 *
 * @throws ChainUnavailableError when no endpoint knows the state, or an AbortError when `signal` fires.
 */
export async function hadCode(
  rpc: JsonRpcClient,
  { address, runtimeCode }: PresentContract,
  block: bigint,
  signal: AbortSignal,
): Promise<boolean> {
  const code = await rpc.call('eth_getCode', [address, toQuantity(block)], signal);
  return typeof code === 'string' && code.toLowerCase() === toHex(runtimeCode);
}

/** A block that has the code and follows one that has not; null when the last block has not. */
async function blockOfChange(
  hasCode: (block: bigint) => Promise<boolean>,
  head: bigint,
): Promise<bigint | null> {
  let [low, high] = [0n, head];
  while (low < high) {
    const middle = (low + high) / 2n;
    if (await hasCode(middle)) high = middle;
    else low = middle + 1n;
  }
  return high < head || (await hasCode(head)) ? high : null;
}

async function searchTraces(
  rpc: JsonRpcClient,
  contract: PresentContract,
  quantity: Hex,
  transactions: readonly BlockTransaction[],
  signal: AbortSignal,
): Promise<Hex | null> {
  const hashes = transactions.map(({ hash }) => hash);
  for (const endpoint of rpc.endpoints) {
    if (endpoint.trace === null) continue;
    const whole = await unlessRefused(signal, () =>
      traceBlock(rpc, endpoint, quantity, hashes, contract, signal),
    );
    if (typeof whole === 'string') return whole;
    if (whole === null) continue;
    // A server may trace transactions but not blocks, or the block is too large for one answer.
    const each = await unlessRefused(signal, () => traceEach(rpc, endpoint, hashes, contract, signal));
    if (typeof each === 'string') return each;
  }
  return null;
}

/** From the end: what came last in the block lies there. */
async function traceEach(
  rpc: JsonRpcClient,
  endpoint: RpcEndpoint,
  hashes: readonly Hex[],
  contract: PresentContract,
  signal: AbortSignal,
): Promise<Hex | null> {
  const others: { readonly hash: Hex; readonly isOnly: boolean }[] = [];
  let isWhole = true;
  const isFound = async (hash: Hex) => {
    const traced = await traceTransaction(rpc, endpoint, hash, contract, signal);
    if (traced === 'untraced') isWhole = false;
    if (traced === null || traced === 'untraced') return false;
    if (traced.left === 'other') others.push({ hash, isOnly: traced.isOnly });
    return traced.left !== 'other';
  };
  const found = await findInBatches(hashes.toReversed(), isFound, TRACES_AT_ONCE);
  const [only] = others;
  return found ?? (isWhole && others.length === 1 && only?.isOnly === true ? only.hash : null);
}

/** Undefined when the endpoint cannot answer: the search continues with what it has. */
async function unlessRefused<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EndpointFault || error instanceof RpcRefusal) return undefined;
    throw error;
  }
}

async function findInBatches<T>(
  items: readonly T[],
  isFound: (item: T) => Promise<boolean>,
  atOnce = AT_ONCE,
): Promise<T | null> {
  for (let start = 0; start < items.length; start += atOnce) {
    const batch = items.slice(start, start + atOnce);
    const answers = await Promise.all(batch.map(isFound));
    const index = answers.indexOf(true);
    if (index >= 0) return batch[index] ?? null;
  }
  return null;
}

function readTransactions(block: unknown): readonly BlockTransaction[] {
  const listed = isJsonObject(block) && Array.isArray(block['transactions']) ? block['transactions'] : [];
  return listed.flatMap((each: unknown) => {
    if (!isJsonObject(each) || !isTransactionHash(each['hash'])) return [];
    return [{ hash: each['hash'], isCreation: (each['to'] ?? null) === null }];
  });
}

function toQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
