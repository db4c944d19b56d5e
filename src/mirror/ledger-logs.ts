import { NANOS_PER_SECOND } from '../values/consensus-timestamp.ts';
import { compareLogs, type EvmLog, type LogSource } from '../values/evm-logs.ts';
import { type Hex, toHex } from '../values/hex.ts';
import { MAX_INT64 } from '../values/int64.ts';
import type { BlockRepository, BlockSelection } from './blocks/block-repository.sql.ts';
import type { ContractAddresses } from './contracts/contract-addresses.sql.ts';
import type { ContractLogRepository } from './contracts/logs/contract-log-repository.sql.ts';
import { dataOf, type StoredLog, topicsOf } from './contracts/logs/contract-log-repository.ts';
import type { ContractResultRepository } from './contracts/results/contract-result-repository.sql.ts';
import { unsignedOf, WEIBARS_PER_TINYBAR } from './evm/quantities.ts';
import type { GasPriceAt } from './network/gas-price-at.ts';

/** Blocks whose times may step back over an end of a range: their times are searched too. */
const NEAR = 100;
/** Hashes as the EVM has them. */
const HASH_BYTES = 32;

interface LedgerLogDependencies {
  readonly logs: Pick<ContractLogRepository, 'page'>;
  readonly blocks: Pick<BlockRepository, 'page' | 'holding'>;
  readonly addresses: ContractAddresses;
  readonly results: Pick<ContractResultRepository, 'at'>;
  readonly gasPriceAt: GasPriceAt;
  /** The contract that has an address, hex with 0x; null without one. */
  readonly contractOf: (address: string) => Promise<bigint | null>;
}

interface LedgerLog extends EvmLog {
  readonly consensusTimestamp: bigint;
}

/** The logs of the imported ledger as EVM tools ask for them. */
export function createLedgerLogs(dependencies: LedgerLogDependencies): LogSource<LedgerLog> {
  const { addresses, blocks, contractOf, gasPriceAt, logs, results } = dependencies;
  /** The greatest time of blocks. */
  const endOf = async (lower: bigint, upper: bigint): Promise<bigint | null> => {
    const last = await blocks.page(selection(lower, upper, 'desc'));
    const end = least(last.map((block) => -block.consensusEnd));
    return end === null ? null : -end;
  };
  /** Without those that blocks outside have. */
  const inBlocks = async (
    found: readonly StoredLog[],
    lower: bigint,
    upper: bigint,
  ): Promise<readonly LedgerLog[]> => {
    const addressOf = await addresses.addressesOf(found.map((log) => log.contract));
    const blockOf = await blocks.holding(found.map((log) => log.consensusTimestamp));
    return found.flatMap((log) => {
      const block = blockOf.get(log.consensusTimestamp);
      const shown = addressOf.get(log.contract);
      if (!block || !shown || block.number < lower || block.number > upper) return [];
      return {
        address: shown as Hex,
        topics: topicsOf(log),
        data: dataOf(log),
        blockNumber: block.number,
        blockHash: toHex(block.hash.subarray(0, HASH_BYTES)),
        logIndex: log.index,
        transactionHash: log.hash,
        transactionIndex: log.transactionIndex,
        consensusTimestamp: log.consensusTimestamp,
      };
    });
  };
  return {
    async find({ address, fromBlock, limit, toBlock, topics }) {
      const contract = address === null ? null : await contractOf(address);
      if (address !== null && contract === null) return [];
      const lower = fromBlock ?? (await newest(blocks));
      const upper = toBlock ?? MAX_INT64;
      const begin = least(
        (await blocks.page(selection(lower, upper, 'asc'))).map((block) => block.consensusStart),
      );
      const end = await endOf(lower, upper);
      if (begin === null || end === null) return [];
      const found: LedgerLog[] = [];
      let from = { consensusTimestamp: begin, index: 0n };
      // By time, while those of a block before the last one wanted may still come.
      for (;;) {
        const page = await logs.page({
          contract,
          from,
          to: { consensusTimestamp: end, index: MAX_INT64 },
          topics: topics.map((topic) => (topic === null ? null : new Set([BigInt(topic)]))),
          order: 'asc',
          limit,
        });
        for (const log of await inBlocks(page, lower, upper)) found.push(log);
        found.sort(compareLogs);
        const [last, cut] = [page.at(-1), found[limit - 1]];
        if (last === undefined || page.length < limit) break;
        const until = cut === undefined ? null : await endOf(lower, cut.blockNumber);
        if (until !== null && last.consensusTimestamp > until) break;
        from = { consensusTimestamp: last.consensusTimestamp, index: last.index + 1n };
      }
      return found.slice(0, limit);
    },
    async describe(found) {
      const described = [];
      for (const { consensusTimestamp, ...log } of found) {
        const result = await results.at(consensusTimestamp);
        const price = result?.ethereum?.gasPrice ?? null;
        const tinybars = price === null ? await gasPriceAt(consensusTimestamp) : null;
        described.push({
          ...log,
          timeStamp: consensusTimestamp / NANOS_PER_SECOND,
          gasPrice:
            price !== null ? unsignedOf(price) : tinybars === null ? null : tinybars * WEIBARS_PER_TINYBAR,
          gasUsed: result?.gasUsed ?? null,
        });
      }
      return described;
    },
  };
}

function least(times: readonly bigint[]): bigint | null {
  return times.reduce<bigint | null>((found, time) => (found === null || time < found ? time : found), null);
}

async function newest(blocks: Pick<BlockRepository, 'page'>): Promise<bigint> {
  const [block] = await blocks.page({ ...selection(0n, MAX_INT64, 'desc'), limit: 1 });
  return block?.number ?? 0n;
}

function selection(lower: bigint, upper: bigint, order: 'asc' | 'desc'): BlockSelection {
  return {
    lower,
    upper,
    equal: null,
    excluded: new Set(),
    lowerEnd: 0n,
    upperEnd: MAX_INT64,
    excludedEnds: new Set(),
    order,
    limit: NEAR,
  };
}
