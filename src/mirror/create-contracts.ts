import { type Clock, nanosNow } from '../values/clock.ts';
import type { LogSource } from '../values/evm-logs.ts';
import { MAX_INT64 } from '../values/int64.ts';
import type { BoundTimes } from './contracts/bound-times.ts';
import type { ContractContext } from './contracts/contract-answers.ts';
import { contractBelow } from './contracts/contract-below.ts';
import type { DecodeRows } from './contracts/decode-rows.ts';
import type { LogContext } from './contracts/logs/log-lists.ts';
import type { ResultContext } from './contracts/results/find-result.ts';
import { createLedgerLogs } from './ledger-logs.ts';
import type { ListContext } from './lists/list.ts';
import type { MirrorStore } from './mirror-store.ts';
import type { GasPriceAt } from './network/gas-price-at.ts';
import { bindTimeRange } from './transactions/time-window.ts';

interface ContractsOptions {
  readonly store: MirrorStore;
  readonly clock: Clock;
  readonly shared: ListContext;
  readonly gasPriceAt: GasPriceAt;
  /** Widest time range of a list; null leaves it open. */
  readonly maxRangeNanos: bigint | null;
  readonly chainId: bigint;
  readonly showsSynthetic: boolean;
  readonly decode: DecodeRows;
}

type ContractsContext = MirrorStore & ContractContext & LogContext & ResultContext;

/** What answers about contracts and what they did are made from, with the whole store. */
export function createContracts({
  chainId,
  clock,
  decode,
  gasPriceAt,
  maxRangeNanos,
  shared,
  showsSynthetic,
  store,
}: ContractsOptions): ContractsContext {
  const boundTimes: BoundTimes = async ({ lower, upper }, order) => {
    if (maxRangeNanos === null) return null;
    const given = { hasLower: lower > 0n, hasUpper: upper < MAX_INT64 };
    const oldest = (await store.transactions.oldestTimestamp()) ?? 0n;
    const now = nanosNow(clock);
    return bindTimeRange({ lower, upper, order }, given, oldest, now, maxRangeNanos);
  };
  return {
    ...store,
    ...shared,
    // What a deleted contract was can still be asked.
    contractNames: { ...shared.names, resolveAddress: (hex) => store.reader.contractByEvmAddress(hex) },
    boundTimes,
    decode,
    gasPriceAt,
    chainId: `0x${chainId.toString(16)}`,
    showsSynthetic,
  };
}

/** Logs as EVM tools ask for them. */
export function createLogSource({
  blocks,
  contractAddresses: addresses,
  contractLogs: logs,
  contractResults: results,
  gasPriceAt,
  names,
}: ContractsContext): LogSource {
  const contractOf = (address: string) => contractBelow(address, names);
  return createLedgerLogs({ logs, blocks, addresses, results, gasPriceAt, contractOf });
}
