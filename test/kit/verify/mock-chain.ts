import type { Fetch } from '../../../src/verify/chain/json-rpc-endpoint.ts';

/** A contract on the mock chain; hex with 0x. */
export interface MockContract {
  readonly runtime: string;
  readonly creation?: string;
  readonly transactionHash?: string;
  /** Code after the block of the creation when it is not the present one; null: the node has forgotten it. */
  readonly after?: string | null;
  /** 32-byte values by slot, both hex with 0x; every other slot is zero. */
  readonly storage?: Readonly<Record<string, string>>;
}

/** Chain 31337 with one endpoint, which nobody listens at. */
export const MOCK_CHAIN_URL = 'http://chain.test/';
export const MOCK_CHAINS = `{"31337":{"rpc":["${MOCK_CHAIN_URL}"]}}`;

const DEPLOYER = `0x${'d'.repeat(40)}`;

/**
 * A `fetch` that answers JSON-RPC from a table of contracts (lower-case address → contract). Every contract
 * was created in block 7; the head is block 20.
 */
export function mockChainFetch(contracts: ReadonlyMap<string, MockContract>): Fetch {
  return async (_url, init) => {
    const call = JSON.parse(String(init.body)) as { readonly method: string; readonly params: string[] };
    const result = answer(contracts, call.method, call.params);
    if (result === FORGOTTEN)
      return Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: FORGOTTEN } });
    return Response.json({ jsonrpc: '2.0', id: 1, result });
  };
}

const FORGOTTEN = 'missing trie node';

function codeAt(contract: MockContract | undefined, block: string): string {
  if (contract === undefined || (block !== 'latest' && Number(block) < 7)) return '0x';
  const { runtime, after = runtime } = contract;
  return block === 'latest' || Number(block) === 20 ? runtime : (after ?? FORGOTTEN);
}

function answer(contracts: ReadonlyMap<string, MockContract>, method: string, params: readonly string[]) {
  const [first = '', second = ''] = params;
  const created = [...contracts].find(([, { transactionHash }]) => transactionHash === first);
  switch (method) {
    case 'eth_chainId':
      return '0x7a69';
    case 'eth_blockNumber':
      return '0x14';
    case 'eth_getCode':
      return codeAt(contracts.get(first), second);
    case 'eth_getStorageAt':
      return contracts.get(first)?.storage?.[second] ?? `0x${'0'.repeat(64)}`;
    case 'eth_getBlockByNumber':
      return {
        transactions: [...contracts.values()]
          .filter(({ transactionHash }) => transactionHash !== undefined)
          .map(({ transactionHash }) => ({ hash: transactionHash, to: null })),
      };
    case 'eth_getTransactionByHash':
      return created === undefined ? null : { input: created[1].creation, from: DEPLOYER, to: null };
    case 'eth_getTransactionReceipt':
      return created === undefined
        ? null
        : { contractAddress: created[0], blockNumber: '0x7', transactionIndex: '0x1' };
    default:
      throw new Error(`The mock chain does not know ${method}`);
  }
}
