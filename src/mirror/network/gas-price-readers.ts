import { MAX_INT64 } from '../../values/int64.ts';
import type { FileRepository } from '../ledger/files/file-repository.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { SYSTEM_FILE } from '../vocabulary/system-files.ts';
import { type ExchangeRates, parseExchangeRates } from './exchange-rate.ts';
import { type GasSchedule, parseLegacySchedule, parseSimpleSchedule } from './gas-prices.ts';
import type { NetworkRepository, ObservedRates, StatedGasPrices } from './network-repository.sql.ts';
import { systemFile } from './network-service.ts';
import { type FileParser, type ReadFile, readEarliestFile, readSystemFile } from './system-file.ts';
import type { TimestampBounds } from './timestamp-bounds.ts';

/** Reads the newest within the bounds. */
export type ReadWithin<T> = (bounds: TimestampBounds) => Promise<ReadFile<T> | null>;
export type ReadEarliest<T> = () => Promise<ReadFile<T> | null>;

/** What gas prices follow from. */
export interface GasPriceReaders {
  readonly simpleSchedule: ReadWithin<GasSchedule>;
  readonly legacySchedule: ReadWithin<GasSchedule>;
  readonly statedPrices: ReadWithin<StatedGasPrices>;
  readonly rates: ReadWithin<ExchangeRates>;
  readonly earliestSimpleSchedule: ReadEarliest<GasSchedule>;
  readonly earliestLegacySchedule: ReadEarliest<GasSchedule>;
  readonly earliestRates: ReadEarliest<ExchangeRates>;
}

export interface GasPriceSources {
  readonly files: FileRepository;
  readonly network: Pick<NetworkRepository, 'newestRates' | 'oldestRates' | 'statedGasPrices'>;
  readonly home: EntityHome;
  /** Versions of a broken system file to try. */
  readonly maxFileAttempts: number;
}

/** Keeps what was read. */
export interface ReaderMemory {
  /** @param emptySince since when there has been nothing at a time for which nothing was found. Default: ever. */
  within<T>(read: ReadWithin<T>, emptySince?: (time: bigint) => Promise<bigint>): ReadWithin<T>;
  earliest<T>(read: ReadEarliest<T>): ReadEarliest<T>;
}

const NO_MEMORY: ReaderMemory = { within: (read) => read, earliest: (read) => read };

/** @see contracts/mirror-network.md sections 3 and 4 */
export function createGasPriceReaders(
  { files, home, maxFileAttempts, network }: GasPriceSources,
  memory = NO_MEMORY,
): GasPriceReaders {
  const fileReaders = <T>(num: bigint, parse: FileParser<T>) => {
    const file = systemFile(num, home);
    return {
      within: memory.within(
        (bounds) => readSystemFile(files, file, bounds, parse, maxFileAttempts),
        // A version that cannot be read hides those before it after so many attempts.
        async (time) => (await files.newestVersion(file, 0n, time))?.lastTimestamp ?? 0n,
      ),
      earliest: memory.earliest(() => readEarliestFile(files, file, parse, maxFileAttempts)),
    };
  };
  const simple = fileReaders(SYSTEM_FILE.SIMPLE_FEE_SCHEDULE, parseSimpleSchedule);
  const legacy = fileReaders(SYSTEM_FILE.FEE_SCHEDULE, parseLegacySchedule);
  const simpleFile = systemFile(SYSTEM_FILE.SIMPLE_FEE_SCHEDULE, home);
  const hasSimple = memory.within(async ({ lower, upper }) => {
    const version = await files.newestVersion(simpleFile, lower ?? 0n, upper ?? MAX_INT64);
    return version === null ? null : { value: true, timestamp: version.lastTimestamp };
  });
  const rates = fileReaders(SYSTEM_FILE.EXCHANGE_RATES, parseExchangeRates);
  const receipts = {
    within: memory.within(async ({ lower, upper }) =>
      observed(await network.newestRates(lower ?? 0n, upper ?? MAX_INT64)),
    ),
    earliest: memory.earliest(async () => observed(await network.oldestRates())),
  };
  return {
    simpleSchedule: simple.within,
    // Also one that cannot be read has taken its place.
    legacySchedule: async (bounds) => ((await hasSimple(bounds)) === null ? legacy.within(bounds) : null),
    statedPrices: memory.within(async ({ lower, upper }) => {
      const value = await network.statedGasPrices(lower ?? 0n, upper ?? MAX_INT64);
      return value === null ? null : { value, timestamp: value.asOf };
    }),
    // Receipts tell the rates of an import that began after the file was written.
    rates: async (bounds) => (await rates.within(bounds)) ?? (await receipts.within(bounds)),
    earliestSimpleSchedule: simple.earliest,
    earliestLegacySchedule: legacy.earliest,
    async earliestRates() {
      const [file, receipt] = [await rates.earliest(), await receipts.earliest()];
      if (file === null || receipt === null) return file ?? receipt;
      return file.timestamp <= receipt.timestamp ? file : receipt;
    },
  };
}

function observed(rates: ObservedRates | null): ReadFile<ExchangeRates> | null {
  const value = rates === null ? null : parseExchangeRates(rates.contents);
  return rates === null || value === null ? null : { value, timestamp: rates.timestamp };
}
