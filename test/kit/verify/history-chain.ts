import { createHash } from 'node:crypto';
import type { Fetch } from '../../../src/verify/chain/json-rpc-endpoint.ts';
import { MOCK_CHAIN_URL } from './mock-chain.ts';

/** A contract with a past; hex with 0x. */
export interface ContractHistory {
  readonly address: string;
  /** The code from a block on, in the order of the blocks. */
  readonly history: readonly (readonly [block: number, code: string])[];
  /** Calls of a factory that made the contract with CREATE2. */
  readonly creations?: readonly Creation[];
}

interface Creation {
  readonly block: number;
  readonly input: string;
  readonly transactionHash?: string;
  /** The `contractAddress` of the receipt; absent: null, as for every call. */
  readonly receiptAddress?: string | null;
}

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly blockNumber: string;
}

/** Chain 31337 as it was at each block. */
export interface ChainHistory {
  readonly head: number;
  readonly contracts: Readonly<Record<string, ContractHistory>>;
  /** False: the node gives no traces. */
  readonly traces?: boolean;
  readonly logs?: readonly Log[];
}

/** A transaction that created a contract. */
export interface CreatingTransaction extends Creation {
  readonly hash: string;
  readonly address: string;
}

const FACTORY = `0x${'fac7'.repeat(10)}`;
const SENDER = `0x${'d'.repeat(40)}`;

/** `VERIFY_CHAINS` with such a chain. */
export function historyChains({ traces }: ChainHistory): string {
  const endpoint = {
    url: MOCK_CHAIN_URL,
    ...(traces === false ? {} : { trace: 'debug_traceTransaction' }),
  };
  return JSON.stringify({ 31337: { rpc: [endpoint] } });
}

/** The transactions that created a contract, in the order of the history. */
export function creatingTransactions(contract: ContractHistory): readonly CreatingTransaction[] {
  const { address, creations = [] } = contract;
  return creations.map((creation, index) => ({
    ...creation,
    address,
    hash: creation.transactionHash ?? `0x${digest(`${address} ${index}`)}`,
  }));
}

/** A `fetch` that answers JSON-RPC from a history; a method that the node lacks is an error, as on a real one. */
export function historyChainFetch(chain: ChainHistory): Fetch {
  const transactions = Object.values(chain.contracts).flatMap(creatingTransactions);
  return async (_url, init) => {
    const { id, method, params } = JSON.parse(String(init.body)) as {
      readonly id: number;
      readonly method: string;
      readonly params: readonly unknown[];
    };
    const result = answer(chain, transactions, method, params);
    const error = { code: -32601, message: `the method ${method} does not exist` };
    return Response.json({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
  };
}

function answer(
  chain: ChainHistory,
  transactions: readonly CreatingTransaction[],
  method: string,
  [first, second]: readonly unknown[],
): unknown {
  const named = transactions.find(({ hash }) => hash === first);
  switch (method) {
    case 'eth_chainId':
      return '0x7a69';
    case 'eth_blockNumber':
      return quantity(chain.head);
    case 'eth_getCode':
      return codeAt(chain, String(first), blockOf(chain, second));
    case 'eth_getStorageAt':
      return `0x${'0'.repeat(64)}`;
    case 'eth_getBlockByNumber':
      return viewBlock(chain, transactions, blockOf(chain, first), second === true);
    case 'eth_getTransactionByHash':
      return named === undefined ? null : viewTransaction(named, transactions);
    case 'eth_getTransactionReceipt':
      return named === undefined ? null : viewReceipt(named, transactions);
    case 'eth_getLogs':
      return findLogs(chain, first as LogFilter);
    case 'debug_traceTransaction':
      return chain.traces === false || named === undefined ? undefined : viewFrames(named);
    case 'debug_traceBlockByNumber':
      if (chain.traces === false) return undefined;
      return transactions
        .filter(({ block }) => block === blockOf(chain, first))
        .map((each) => ({ txHash: each.hash, result: viewFrames(each) }));
    default:
      return undefined;
  }
}

function codeAt({ contracts }: ChainHistory, address: string, block: number): string {
  const contract = Object.values(contracts).find((each) => isSame(each.address, address));
  return contract?.history.findLast(([from]) => from <= block)?.[1] ?? '0x';
}

function blockOf({ head }: ChainHistory, tag: unknown): number {
  if (tag === 'earliest') return 0;
  return typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : head;
}

function viewBlock(
  { head, logs = [] }: ChainHistory,
  transactions: readonly CreatingTransaction[],
  number: number,
  isFull: boolean,
): unknown {
  if (number > head) return null;
  const own = transactions.filter(({ block }) => block === number);
  const { blockHash = `0x${digest(`block ${number}`)}` } = (logs.find(
    ({ blockNumber }) => Number(blockNumber) === number,
  ) ?? {}) as { readonly blockHash?: string };
  return {
    number: quantity(number),
    hash: blockHash,
    timestamp: quantity(1_700_000_000 + 12 * number),
    transactions: own.map((each) => (isFull ? viewTransaction(each, transactions) : each.hash)),
  };
}

function viewTransaction(transaction: CreatingTransaction, all: readonly CreatingTransaction[]) {
  return {
    hash: transaction.hash,
    from: SENDER,
    to: FACTORY,
    input: '0xfac70001',
    blockNumber: quantity(transaction.block),
    transactionIndex: indexOf(transaction, all),
  };
}

function viewReceipt(transaction: CreatingTransaction, all: readonly CreatingTransaction[]) {
  return {
    transactionHash: transaction.hash,
    status: '0x1',
    from: SENDER,
    to: FACTORY,
    contractAddress: transaction.receiptAddress ?? null,
    blockNumber: quantity(transaction.block),
    transactionIndex: indexOf(transaction, all),
    logs: [],
  };
}

function viewFrames({ address, input }: CreatingTransaction) {
  const call = { type: 'CREATE2', from: FACTORY, to: address, input };
  return { type: 'CALL', from: SENDER, to: FACTORY, input: '0xfac70001', calls: [call] };
}

function indexOf(transaction: CreatingTransaction, all: readonly CreatingTransaction[]): string {
  return quantity(all.filter(({ block }) => block === transaction.block).indexOf(transaction));
}

interface LogFilter {
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[] | null)[];
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

function findLogs(chain: ChainHistory, { address, topics = [], fromBlock, toBlock }: LogFilter) {
  const isWanted = (wanted: string | readonly string[] | null | undefined, actual: string | undefined) =>
    (wanted ?? null) === null || [wanted].flat().some((each) => isSame(each as string, actual ?? ''));
  return (chain.logs ?? []).filter(
    (log) =>
      isWanted(address, log.address) &&
      topics.every((topic, place) => isWanted(topic, log.topics[place])) &&
      Number(log.blockNumber) >= blockOf(chain, fromBlock) &&
      Number(log.blockNumber) <= blockOf(chain, toBlock),
  );
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
