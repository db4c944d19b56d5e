import type { Clock } from '../values/clock.ts';
import { NANOS_PER_MILLISECOND } from '../values/consensus-timestamp.ts';
import type { LogSource } from '../values/evm-logs.ts';
import { MAX_INT64 } from '../values/int64.ts';
import type { BoundTimes } from './contracts/bound-times.ts';
import { contractBelow } from './contracts/contract-below.ts';
import type { DecodeRows } from './contracts/decode-rows.ts';
import type { ContractDependencies } from './contracts/routes.ts';
import { createLedgerLogs } from './ledger-logs.ts';
import type { MirrorStore } from './mirror-store.ts';
import type { GasPriceAt } from './network/gas-price-at.ts';
import type { ResolveAddress } from './parameters/account-filter.ts';
import type { EntityHome } from './parameters/entity-id-text.ts';
import type { PageSettings } from './parameters/page-parameters.ts';
import { bindTimeRange } from './transactions/time-window.ts';

interface ContractsOptions {
  readonly store: MirrorStore;
  readonly clock: Clock;
  readonly home: EntityHome;
  readonly page: PageSettings;
  readonly maxRepeated: number;
  readonly gasPriceAt: GasPriceAt;
  /** Widest time range of a list; null leaves it open. */
  readonly maxRangeNanos: bigint | null;
  readonly chainId: bigint;
  readonly showsSynthetic: boolean;
  readonly resolveAddress: ResolveAddress;
  readonly decode: DecodeRows;
}

/** Puts together what answers about contracts and what they did. */
export function createContracts(
  options: ContractsOptions,
): ContractDependencies & { readonly ledgerLogs: LogSource } {
  const { clock, gasPriceAt, home, maxRangeNanos, maxRepeated, page, resolveAddress, store } = options;
  const { blocks, contractAddresses: addresses, contractCodes: codes, entities, transactions } = store;
  const names = { home, resolveAddress };
  // What a deleted contract was can still be asked.
  const contractNames = { home, resolveAddress: (hex: string) => store.reader.contractByEvmAddress(hex) };
  const boundTimes: BoundTimes = async ({ lower, upper }, order) => {
    if (maxRangeNanos === null) return null;
    const given = { hasLower: lower > 0n, hasUpper: upper < MAX_INT64 };
    const oldest = (await transactions.oldestTimestamp()) ?? 0n;
    const now = BigInt(clock.now()) * NANOS_PER_MILLISECOND;
    return bindTimeRange({ lower, upper, order }, given, oldest, now, maxRangeNanos);
  };
  const shared = { addresses, blocks, boundTimes, decode: options.decode, names, page, maxRepeated };
  const results = store.contractResults;
  return {
    one: { entities, codes, names: contractNames, maxRepeated },
    list: { contracts: store.contracts, entities, codes, names: contractNames, page, maxRepeated },
    results: {
      ...shared,
      results,
      logs: store.contractLogs,
      files: store.userFiles,
      chainId: `0x${options.chainId.toString(16)}`,
      showsSynthetic: options.showsSynthetic,
      gasPriceAt,
    },
    logs: { ...shared, logs: store.contractLogs },
    state: { addresses, names, page, maxRepeated, state: store.contractState },
    ledgerLogs: createLedgerLogs({
      logs: store.contractLogs,
      blocks,
      addresses,
      results,
      gasPriceAt,
      contractOf: (address) => contractBelow(address, names),
    }),
    actions: { actions: store.contractActions, results, page, maxRepeated },
  };
}
