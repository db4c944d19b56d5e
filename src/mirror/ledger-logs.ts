import { NANOS_PER_SECOND } from '../values/consensus-timestamp.ts';
import { compareLogs, type EvmLog, type LogSource } from '../values/evm-logs.ts';
import { type Hex, toHex } from '../values/hex.ts';
import { MAX_INT64 } from '../values/int64.ts';
import type { BlockRepository, BlockSelection } from './blocks/block-repository.ts';
import type { ContractAddresses } from './contracts/contract-addresses.ts';
import type { ContractLogRepository } from './contracts/logs/contract-log-repository.ts';
import type { ContractResultRepository } from './contracts/results/contract-result-repository.ts';
import { unsignedOf, WEIBARS_PER_TINYBAR, wordOfHex } from './evm/quantities.ts';
import type { GasPriceAt } from './network/gas-price-at.ts';

/** Hashes as the EVM has them. */
const HASH_BYTES = 32;

export interface LedgerLogDependencies {
  readonly logs: Pick<ContractLogRepository, 'page'>;
  readonly blocks: Pick<BlockRepository, 'page' | 'holding'>;
  readonly addresses: ContractAddresses;
  readonly results: Pick<ContractResultRepository, 'at'>;
  readonly gasPriceAt: GasPriceAt;
  /** The contract that has an address, hex with 0x; null when nobody has. */
  readonly contractOf: (address: string) => Promise<bigint | null>;
}

interface LedgerLog extends EvmLog {
  readonly consensusTimestamp: bigint;
}

/** The logs of the imported ledger as EVM tools ask for them. */
export function createLedgerLogs(dependencies: LedgerLogDependencies): LogSource<LedgerLog> {
  const { addresses, blocks, contractOf, gasPriceAt, logs, results } = dependencies;
  return {
    async find({ address, fromBlock, limit, toBlock, topics }) {
      const contract = address === null ? null : await contractOf(address);
      if (address !== null && contract === null) return [];
      const lower = fromBlock ?? (await newest(blocks));
      const upper = toBlock ?? MAX_INT64;
      const [first] = await blocks.page(selection(lower, upper, 'asc'));
      const [last] = await blocks.page(selection(lower, upper, 'desc'));
      if (first === undefined || last === undefined) return [];
      const found = await logs.page({
        contract,
        from: { consensusTimestamp: first.consensusStart, index: 0n },
        to: { consensusTimestamp: last.consensusEnd, index: MAX_INT64 },
        topics: topics.map((topic) => (topic === null ? null : new Set([BigInt(topic)]))),
        order: 'asc',
        limit,
      });
      const addressOf = await addresses.addressesOf(found.map((log) => log.contract));
      const blockOf = await blocks.holding(found.map((log) => log.consensusTimestamp));
      return found
        .flatMap((log): LedgerLog[] => {
          const block = blockOf.get(log.consensusTimestamp);
          const shown = addressOf.get(log.contract);
          // Times may step back from block to block.
          if (!block || !shown || block.number < lower || block.number > upper) return [];
          return [
            {
              address: shown as Hex,
              topics: log.topics.flatMap((topic) => (topic === null ? [] : [wordOfHex(topic)])),
              data: log.data === null || log.data === '0x' ? '0x' : wordOfHex(log.data),
              blockNumber: block.number,
              blockHash: toHex(block.hash.subarray(0, HASH_BYTES)),
              logIndex: log.index,
              transactionHash: log.hash,
              transactionIndex: log.transactionIndex,
              consensusTimestamp: log.consensusTimestamp,
            },
          ];
        })
        .sort(compareLogs);
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

async function newest(blocks: Pick<BlockRepository, 'page'>): Promise<bigint> {
  const [block] = await blocks.page(selection(0n, MAX_INT64, 'desc'));
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
    only: null,
    excludedEnds: new Set(),
    order,
    limit: 1,
  };
}
