import type { Awaitable } from '../../values/and-then.ts';
import { NANOS_PER_SECOND } from '../../values/consensus-timestamp.ts';
import type { EntityId } from '../../values/entity-id.ts';
import type { FileRepository } from '../ledger/files/file-repository.ts';
import { parseExchangeRates } from './exchange-rate.ts';
import { callGasPrice, parseLegacySchedule } from './gas-prices.ts';
import { type FileParser, readSystemFile } from './system-file.ts';

/** What a call paid for a unit of gas at a time, tinybars; null when the ledger does not tell it. */
export type GasPriceAt = (time: bigint) => Promise<bigint | null>;

export interface GasPriceDependencies {
  readonly files: FileRepository;
  readonly rateFile: EntityId;
  readonly scheduleFile: EntityId;
  /** Versions of a broken file to try. */
  readonly maxFileAttempts: number;
  /** What was read before counts as long as it stays the same. */
  readonly edition: () => Awaitable<string>;
}

const NANOS_PER_HOUR = 3600n * NANOS_PER_SECOND;
const REMEMBERED = 50;
const NO_VERSION = { timestamp: 0n, value: null };

/** @see contracts/mirror-contracts.md section 4.3 */
export function createGasPriceAt(dependencies: GasPriceDependencies): GasPriceAt {
  const { edition, files, maxFileAttempts, rateFile, scheduleFile } = dependencies;
  const schedules = rememberVersions(files, scheduleFile, parseLegacySchedule, maxFileAttempts);
  const rates = rememberVersions(files, rateFile, parseExchangeRates, maxFileAttempts);
  let known = '';
  return async (time) => {
    const current = await edition();
    if (current !== known) {
      schedules.forget();
      rates.forget();
      known = current;
    }
    const [schedule, rate] = [await schedules.at(time), await rates.at(time)];
    return schedule === null || rate === null
      ? null
      : callGasPrice(schedule, rate, time - (time % NANOS_PER_HOUR));
  };
}

/** A version of a file that is known to hold between two times. */
interface Span<T> {
  readonly from: bigint;
  readonly until: bigint;
  /** Null where there is none. */
  readonly value: T | null;
}

function rememberVersions<T>(files: FileRepository, file: EntityId, parse: FileParser<T>, attempts: number) {
  let spans: readonly Span<T>[] = [];
  return {
    async at(time: bigint): Promise<T | null> {
      const known = spans.find(({ from, until }) => from <= time && time <= until);
      if (known !== undefined) return known.value;
      const read = await readSystemFile(files, file, { lower: null, upper: time }, parse, attempts);
      // Other versions than the broken ones may be read for other times.
      if (read === null && (await files.newestVersion(file, 0n, time)) !== null) return null;
      const { timestamp, value } = read ?? NO_VERSION;
      spans = [
        { from: timestamp, until: time, value },
        ...spans.filter(({ from }) => from !== timestamp),
      ].slice(0, REMEMBERED);
      return value;
    },
    forget() {
      spans = [];
    },
  };
}
