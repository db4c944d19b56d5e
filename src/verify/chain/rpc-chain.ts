import { type Hex, parseHex, toHex } from '../../values/hex.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import {
  ChainUnavailableError,
  type ContractCodeSource,
  type ContractCreation,
} from './contract-code-source.ts';
import { hostOf, type JsonRpcClient } from './json-rpc-client.ts';
import { EndpointFault, type RpcEndpoint, RpcRefusal } from './json-rpc-endpoint.ts';
import { isTransactionHash } from './transaction-hash.ts';
import {
  type CreationSearch,
  type TracedCreation,
  traceBlock,
  traceTransaction,
} from './transaction-traces.ts';

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
      const search = { rpc, contract, signal };
      const isSearched = searchesCreation && transactionHash === null;
      const hash = isSearched ? await searchCreationTransaction(search) : transactionHash;
      if (hash === null) return null;
      const found = await readCreation(search, hash);
      if (found === null) return null;
      const { creation } = found;
      return isSearched ? creation : { ...creation, life: await lifeOf(search, found) };
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
  search: CreationSearch,
  { creation: { blockNumber, transactionHash }, left }: ReadCreation,
): Promise<ContractCreation['life']> {
  const unread = left === 'other' ? 'earlier' : 'unknown';
  if (blockNumber === null) return unread;
  try {
    if (!(await hadCode(search, blockNumber))) return 'earlier';
    if (left === 'present') return 'present';
    const found = await findCreation(search, blockNumber);
    return found === transactionHash ? 'present' : 'earlier';
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    return unread;
  }
}

async function readCreation(search: CreationSearch, hash: Hex): Promise<ReadCreation | null> {
  const { rpc, contract, signal } = search;
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
  const traced = isDirect ? null : await readTraces(search, hash);
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

async function readTraces(search: CreationSearch, hash: Hex): Promise<TracedCreation | null> {
  const reasons: string[] = [];
  for (const endpoint of search.rpc.endpoints) {
    if (endpoint.trace === null) continue;
    try {
      const creation = await traceTransaction(search, endpoint, hash);
      if (creation !== null && creation !== 'untraced') return creation;
    } catch (error) {
      search.signal.throwIfAborted();
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
async function searchCreationTransaction(search: CreationSearch): Promise<Hex | null> {
  const head = await search.rpc.call('eth_blockNumber', [], search.signal);
  if (typeof head !== 'string' || !QUANTITY.test(head)) return null;
  const block = await blockOfChange((each) => hadCode(search, each), BigInt(head));
  return block === null || block === 0n ? null : findCreation(search, block);
}

/**
 * Finds the transaction that made a contract, in the block that left the present code at the address.
 *
 * @returns null when the block has no such transaction, or traces do not tell which of several it was.
 * @throws ChainUnavailableError when no endpoint knows the block, or an AbortError when `signal` fires.
 */
async function findCreation(search: CreationSearch, block: bigint): Promise<Hex | null> {
  const { rpc, contract, signal } = search;
  const quantity = toQuantity(block);
  const transactions = readTransactions(await rpc.call('eth_getBlockByNumber', [quantity, true], signal));
  const direct = await findInBatches(
    transactions.filter(({ isCreation }) => isCreation),
    async ({ hash }) => {
      const receipt = await rpc.call('eth_getTransactionReceipt', [hash], signal);
      if (!isJsonObject(receipt) || isFailedReceipt(receipt)) return false;
      return String(receipt['contractAddress']).toLowerCase() === contract.address;
    },
  );
  return direct?.hash ?? searchTraces(search, quantity, transactions);
}

/** A transaction that failed created nothing, even where its receipt names an address. */
function isFailedReceipt(receipt: JsonObject): boolean {
  return receipt['status'] === '0x0';
}

/**
 * Whether a block left the given code at an address.
 *
 * @throws ChainUnavailableError when no endpoint knows the state, or an AbortError when `signal` fires.
 */
async function hadCode({ rpc, contract, signal }: CreationSearch, block: bigint): Promise<boolean> {
  const { address, runtimeCode } = contract;
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
  search: CreationSearch,
  quantity: Hex,
  transactions: readonly BlockTransaction[],
): Promise<Hex | null> {
  const { rpc, signal } = search;
  const hashes = transactions.map(({ hash }) => hash);
  for (const endpoint of rpc.endpoints) {
    if (endpoint.trace === null) continue;
    const whole = await unlessRefused(signal, () => traceBlock(search, endpoint, quantity, hashes));
    if (typeof whole === 'string') return whole;
    if (whole === null) continue;
    // A server may trace transactions but not blocks, or the block is too large for one answer.
    const each = await unlessRefused(signal, () => traceEach(search, endpoint, hashes));
    if (typeof each === 'string') return each;
  }
  return null;
}

/** From the end: what came last in the block lies there. */
async function traceEach(
  search: CreationSearch,
  endpoint: RpcEndpoint,
  hashes: readonly Hex[],
): Promise<Hex | null> {
  const others: { readonly hash: Hex; readonly isOnly: boolean }[] = [];
  let isWhole = true;
  const isFound = async (hash: Hex) => {
    const traced = await traceTransaction(search, endpoint, hash);
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
