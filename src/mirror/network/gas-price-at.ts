import type { Awaitable } from '../../values/and-then.ts';
import { NANOS_PER_SECOND } from '../../values/consensus-timestamp.ts';
import type { EntityId } from '../../values/entity-id.ts';
import type { FileRepository } from '../ledger/files/file-repository.ts';
import { parseExchangeRates } from './exchange-rate.ts';
import { callGasPrice, parseLegacySchedule, parseSimpleSchedule } from './gas-prices.ts';
import { type FileParser, readSystemFile } from './system-file.ts';

/** What a call paid for a unit of gas at a time, tinybars; null when the ledger does not tell it. */
export type GasPriceAt = (time: bigint) => Promise<bigint | null>;

export interface GasPriceDependencies {
  readonly files: FileRepository;
  readonly rateFile: EntityId;
  /** The one in force, as for `network/fees`: where it is known the former one does not count. */
  readonly simpleScheduleFile: EntityId;
  readonly scheduleFile: EntityId;
  /** Versions of a broken file to try. */
  readonly maxFileAttempts: number;
  /** What was read before counts as long as it stays the same. */
  readonly edition: () => Awaitable<string>;
}

const NANOS_PER_HOUR = 3600n * NANOS_PER_SECOND;
const REMEMBERED = 50;

/** @see contracts/mirror-contracts.md section 4.3 */
export function createGasPriceAt(dependencies: GasPriceDependencies): GasPriceAt {
  let memory = rememberFiles('', dependencies);
  return async (time) => {
    const edition = await dependencies.edition();
    if (edition !== memory.edition) memory = rememberFiles(edition, dependencies);
    // What a slow look finds stays with the edition under which it began.
    const { rates, schedules, simpleSchedules } = memory;
    const schedule = (await simpleSchedules(time)) ?? (await schedules(time));
    const rate = await rates(time);
    return schedule === null || rate === null
      ? null
      : callGasPrice(schedule, rate, time - (time % NANOS_PER_HOUR));
  };
}

function rememberFiles(
  edition: string,
  { files, maxFileAttempts, rateFile, scheduleFile, simpleScheduleFile }: GasPriceDependencies,
) {
  return {
    edition,
    simpleSchedules: rememberVersions(files, simpleScheduleFile, parseSimpleSchedule, maxFileAttempts),
    schedules: rememberVersions(files, scheduleFile, parseLegacySchedule, maxFileAttempts),
    rates: rememberVersions(files, rateFile, parseExchangeRates, maxFileAttempts),
  };
}

/** Times between which no other version of a file begins to count. */
interface Span<T> {
  readonly from: bigint;
  readonly until: bigint;
  /** Null where no version can be read. */
  readonly value: T | null;
}

function rememberVersions<T>(files: FileRepository, file: EntityId, parse: FileParser<T>, attempts: number) {
  let spans: readonly Span<T>[] = [];
  return async (time: bigint): Promise<T | null> => {
    const known = spans.find(({ from, until }) => from <= time && time <= until);
    if (known !== undefined) return known.value;
    const read = await readSystemFile(files, file, { lower: null, upper: time }, parse, attempts);
    const from = read?.timestamp ?? (await files.newestVersion(file, 0n, time))?.lastTimestamp ?? 0n;
    const value = read?.value ?? null;
    spans = [{ from, until: time, value }, ...spans.filter((span) => span.from !== from)].slice(
      0,
      REMEMBERED,
    );
    return value;
  };
}
