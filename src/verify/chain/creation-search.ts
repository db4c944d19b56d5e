import type { Hex } from '../../values/hex.ts';
import { isJsonObject } from '../json-object.ts';
import type { JsonRpcClient } from './json-rpc-client.ts';

/** Receipts that are asked for at the same time while a block is searched. */
const RECEIPTS_AT_ONCE = 8;
const QUANTITY = /^0x[0-9a-fA-F]{1,16}$/;
const TRANSACTION_HASH = /^0x[0-9a-f]{64}$/;

/**
 * Searches the transaction that created a contract: the first block with code at the address, then the
 * receipts of its creating transactions.
 *
 * Needs a node that remembers old states. Contracts made by other contracts are not found.
 *
 * @returns null when the block has no such transaction.
 * @see contracts/verification-engine.md section 10.2
 */
export async function searchCreationTransaction(
  rpc: JsonRpcClient,
  address: Hex,
  signal: AbortSignal,
): Promise<Hex | null> {
  const head = await rpc.call('eth_blockNumber', [], signal);
  if (typeof head !== 'string' || !QUANTITY.test(head)) return null;
  const block = await firstBlockWithCode(rpc, address, BigInt(head), signal);
  const found = await rpc.call('eth_getBlockByNumber', [toQuantity(block), true], signal);
  const transactions =
    isJsonObject(found) && Array.isArray(found['transactions']) ? found['transactions'] : [];
  const hashes = transactions
    .filter((each) => isJsonObject(each) && (each['to'] ?? null) === null)
    .map((each: Record<string, unknown>) => each['hash'])
    .filter((hash): hash is Hex => typeof hash === 'string' && TRANSACTION_HASH.test(hash));
  for (let start = 0; start < hashes.length; start += RECEIPTS_AT_ONCE) {
    const batch = hashes.slice(start, start + RECEIPTS_AT_ONCE);
    const receipts = await Promise.all(
      batch.map((hash) => rpc.call('eth_getTransactionReceipt', [hash], signal)),
    );
    const index = receipts.findIndex(
      (receipt) => isJsonObject(receipt) && String(receipt['contractAddress']).toLowerCase() === address,
    );
    if (index >= 0) return batch[index] ?? null;
  }
  return null;
}

async function firstBlockWithCode(
  rpc: JsonRpcClient,
  address: Hex,
  head: bigint,
  signal: AbortSignal,
): Promise<bigint> {
  let [low, high] = [0n, head];
  while (low < high) {
    const middle = (low + high) / 2n;
    const code = await rpc.call('eth_getCode', [address, toQuantity(middle)], signal);
    if (typeof code === 'string' && code.length > 2) high = middle;
    else low = middle + 1n;
  }
  return low;
}

function toQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
