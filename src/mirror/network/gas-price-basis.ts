import type { GasPriceReaders } from './gas-price-readers.ts';
import {
  type GasPriceBasis,
  type GasSchedule,
  type InitialGasPrice,
  type StandIn,
  simpleGasSchedule,
  statedBasis,
} from './gas-prices.ts';
import type { ReadFile } from './system-file.ts';
import type { TimestampBounds } from './timestamp-bounds.ts';

export interface MissingBasis {
  readonly missing: 'schedule' | 'rates';
}

/**
 * Finds what the gas prices of a time follow from.
 *
 * @param time that a later schedule and later rates may answer for; null for none.
 * @param initial in place of a schedule that the ledger does not have; null for none.
 * @see contracts/mirror-network.md section 4.1
 */
export async function findGasPriceBasis(
  readers: GasPriceReaders,
  bounds: TimestampBounds,
  time: bigint | null,
  initial: InitialGasPrice | null,
): Promise<GasPriceBasis | MissingBasis> {
  const known = (await readers.simpleSchedule(bounds)) ?? (await readers.legacySchedule(bounds));
  const stated = known === null ? await readers.statedPrices(bounds) : null;
  if (stated !== null) return statedBasis(stated.value);

  const later = async <T>(read: () => Promise<ReadFile<T> | null>) => {
    const earliest = time === null ? null : await read();
    return earliest !== null && time !== null && earliest.timestamp > time ? earliest : null;
  };
  const rates = (await readers.rates(bounds)) ?? (await later(readers.earliestRates));
  if (rates === null) return { missing: known === null ? 'schedule' : 'rates' };
  const basis = (schedule: ReadFile<GasSchedule>, standIn: StandIn | null) => ({
    schedule: schedule.value,
    rates: rates.value,
    timestamp: schedule.timestamp,
    standIn,
  });
  if (known !== null) return basis(known, null);
  const earliest =
    (await later(readers.earliestSimpleSchedule)) ?? (await later(readers.earliestLegacySchedule));
  if (earliest !== null) return basis(earliest, 'earliest');
  if (time === null || initial === null) return { missing: 'schedule' };
  const schedule = { value: simpleGasSchedule(initial.tinycents), timestamp: rates.timestamp };
  return basis(schedule, initial.origin);
}
