import { compareLogs, type EvmLog, type LogQuery, type LogSource } from '../../values/evm-logs.ts';
import type { Hex } from '../../values/hex.ts';
import { timeLimit } from '../../values/time-limit.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { ChainUnavailableError } from './contract-code-source.ts';
import { hostOf, type JsonRpcClient } from './json-rpc-client.ts';
import { EndpointFault, type RpcEndpoint, RpcRefusal } from './json-rpc-endpoint.ts';

/** Calls of one search, all endpoints together: a node that refuses a range gets halves of it. */
const MAX_CALLS = 20;
/** Blocks and transactions that are asked for at the same time. */
const AT_ONCE = 8;
const MAX_TOPICS = 4;
const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;
const HASH = /^0x[0-9a-fA-F]{64}$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BYTES = /^0x(?:[0-9a-fA-F]{2})*$/;

const NARROWER = 'The node returns no logs for so many blocks: request fewer with fromBlock and toBlock.';

/** Reads logs through JSON-RPC. @see contracts/verification-api.md section 7.4 */
export function createRpcLogs(rpc: JsonRpcClient): LogSource {
  return {
    async find(query, signal) {
      const reasons: string[] = [];
      const budget = { calls: MAX_CALLS };
      for (const endpoint of rpc.endpoints) {
        try {
          return await searchRanges(rpc, endpoint, query, budget, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof EndpointFault || error instanceof RpcRefusal)) throw error;
          reasons.push(`${hostOf(endpoint.url)}: ${error.message}`);
        }
      }
      throw new ChainUnavailableError('eth_getLogs', reasons);
    },
    async describe(logs, signal) {
      // One by one, and no fault counts: a node that limits its callers is still good for verifications.
      const read = async (method: string, ...params: readonly unknown[]) => {
        for (const endpoint of rpc.endpoints) {
          try {
            const result = await rpc.callOne(endpoint, method, params, signal);
            if (result !== null) return result;
          } catch (error) {
            signal.throwIfAborted();
            if (!(error instanceof EndpointFault || error instanceof RpcRefusal)) throw error;
          }
        }
        return null;
      };
      const blocks = await readEach(
        logs.map(({ blockNumber }) => toQuantity(blockNumber)),
        (quantity) => read('eth_getBlockByNumber', quantity, false),
      );
      const receipts = await readEach(
        logs.flatMap(({ transactionHash }) => (transactionHash === null ? [] : [transactionHash])),
        (hash) => read('eth_getTransactionReceipt', hash),
      );
      return logs.map((log) => {
        const receipt = receipts.get(log.transactionHash ?? '0x');
        return {
          ...log,
          timeStamp: quantityOf(blocks.get(toQuantity(log.blockNumber))?.['timestamp']),
          gasPrice: quantityOf(receipt?.['effectiveGasPrice']),
          gasUsed: quantityOf(receipt?.['gasUsed']),
        };
      });
    },
  };
}

/** @throws EndpointFault, RpcRefusal or, when the calls are used up, ChainUnavailableError */
async function searchRanges(
  rpc: JsonRpcClient,
  endpoint: RpcEndpoint,
  { address, fromBlock, limit, toBlock, topics }: LogQuery,
  budget: { calls: number },
  signal: AbortSignal,
): Promise<readonly EvmLog[]> {
  const head = quantityOf(await rpc.callOne(endpoint, 'eth_blockNumber', [], signal));
  if (head === null) throw new EndpointFault('the response is not a block number');
  const last = toBlock === null || toBlock > head ? head : toBlock;
  const filter = {
    ...(address === null ? {} : { address }),
    topics: topics.slice(0, topics.findLastIndex((topic) => topic !== null) + 1),
  };
  const found: EvmLog[] = [];
  const first = fromBlock ?? head;
  const pending = first > last ? [] : [[first, last] as const];
  for (let range = pending.pop(); range !== undefined && found.length < limit; range = pending.pop()) {
    const [from, to] = range;
    if (budget.calls === 0)
      throw new ChainUnavailableError('eth_getLogs', ['too many calls'], { advice: NARROWER });
    budget.calls -= 1;
    try {
      const params = [{ ...filter, fromBlock: toQuantity(from), toBlock: toQuantity(to) }];
      const logs = readLogs(await rpc.callOne(endpoint, 'eth_getLogs', params, signal));
      for (const log of logs.toSorted(compareLogs)) found.push(log);
    } catch (error) {
      // Nodes have no common code for "too many": what they refuse for any other reason, they refuse for one block too.
      if (!(error instanceof RpcRefusal) || from === to) throw error;
      const middle = (from + to) / 2n;
      pending.push([middle + 1n, to], [from, middle]);
    }
  }
  return found.slice(0, limit);
}

function readLogs(result: unknown): readonly EvmLog[] {
  if (!Array.isArray(result)) throw new EndpointFault('the response is not a list of logs');
  return result
    .filter((log) => !isJsonObject(log) || log['removed'] !== true)
    .map((log) => {
      const read = isJsonObject(log) ? readLog(log) : null;
      if (read === null) throw new EndpointFault('a log is not of the expected form');
      return read;
    });
}

function readLog(log: JsonObject): EvmLog | null {
  const topics = Array.isArray(log['topics']) ? log['topics'].map((topic) => textOf(topic, HASH)) : [null];
  const [blockNumber, logIndex] = [quantityOf(log['blockNumber']), quantityOf(log['logIndex'])];
  const [address, data] = [textOf(log['address'], ADDRESS), textOf(log['data'], BYTES)];
  if (blockNumber === null || logIndex === null || address === null || data === null) return null;
  if (topics.length > MAX_TOPICS || !topics.every((topic) => topic !== null)) return null;
  return {
    address,
    topics,
    data,
    blockNumber,
    blockHash: textOf(log['blockHash'], HASH),
    logIndex,
    transactionHash: textOf(log['transactionHash'], HASH),
    transactionIndex: quantityOf(log['transactionIndex']),
  };
}

async function readEach(
  keys: readonly Hex[],
  read: (key: Hex) => Promise<unknown>,
): Promise<ReadonlyMap<Hex, JsonObject>> {
  const found = new Map<Hex, JsonObject>();
  const waiting = [...new Set(keys)].values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const key of waiting) {
        const value = await read(key);
        if (isJsonObject(value)) found.set(key, value);
      }
    }),
  );
  return found;
}

function quantityOf(value: unknown): bigint | null {
  return typeof value === 'string' && QUANTITY.test(value) ? BigInt(value) : null;
}

function textOf(value: unknown, form: RegExp): Hex | null {
  return typeof value === 'string' && form.test(value) ? (value.toLowerCase() as Hex) : null;
}

function toQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

/** Requests for logs of one chain that its nodes serve at the same time, each with a few calls. */
const MAX_AT_ONCE = 4;
const TIMEOUT_MS = 20_000;

/**
 * Bounds what requests for logs take of the nodes of a chain, which verifications need too. A client has no more of them
 * at a time than it leaves to others, and one in any case.
 */
export class LogRequests {
  readonly #timeoutMs: number;
  /** Clients of those that run. */
  readonly #running: string[] = [];

  /** @param timeoutMs for one request, all of its calls together, milliseconds. */
  constructor(timeoutMs = TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  /** @throws ChainUnavailableError when too many run already, or the time is over; the reason of `signal` when that fires. */
  async run<T>(client: string, signal: AbortSignal, request: (limit: AbortSignal) => Promise<T>): Promise<T> {
    if (!this.#hasPlace(client)) {
      const advice = 'Too many requests for logs of this chain at the same time: try again in a few seconds.';
      throw new ChainUnavailableError('eth_getLogs', ['too many requests'], { advice });
    }
    const { end, signal: limit } = timeLimit(this.#timeoutMs, signal);
    this.#running.push(client);
    try {
      return await request(limit);
    } catch (error) {
      if (!limit.aborted || signal.aborted) throw error;
      const advice = `Timeout: the logs were not read within ${this.#timeoutMs / 1000} s. Request fewer with fromBlock and toBlock.`;
      throw new ChainUnavailableError('eth_getLogs', ['timeout'], { advice });
    } finally {
      end();
      this.#running.splice(this.#running.indexOf(client), 1);
    }
  }

  #hasPlace(client: string): boolean {
    const own = this.#running.filter((each) => each === client).length + 1;
    const free = MAX_AT_ONCE - this.#running.length - 1;
    return free >= 0 && (own === 1 || own <= free);
  }
}
