import { NANOS_PER_SECOND, parseTimestamp } from '../../../values/consensus-timestamp.ts';
import type { RateDocument, RatesDocument } from '../ask/documents.ts';
import { dollars, type Rate, worth } from './amounts.ts';
import { utc } from './times.ts';

/** An exchange rate, and the consensus time at which it is in force. */
export interface DatedRate extends Rate {
  readonly at: bigint;
}

/**
 * The one rule for every amount in dollars: the rate in force at the consensus time of what is shown, for what has none
 * at the newest of the ledger, whatever the clock of the server says.
 *
 * @param timestamp printed; null in an empty ledger
 */
export function rateAt(rates: RatesDocument | null, timestamp: string | null): DatedRate | null {
  const at = timestamp === null ? null : parseTimestamp(timestamp);
  return rates === null || at === null ? null : { ...rateInForce(rates, at), at };
}

/** The current rate until it expires, then the next one. */
export function rateInForce({ current_rate, next_rate }: RatesDocument, nanos: bigint): RateDocument {
  return nanos / NANOS_PER_SECOND < current_rate.expiration_time ? current_rate : next_rate;
}

/** What follows an amount in tinybars, such as `, $0.12 at the rate of 2023-11-14 22:13:20 UTC`; empty without a rate. */
export function inDollars(tinybars: bigint, rate: DatedRate | null): string {
  const tinycents = rate === null ? null : worth(tinybars, rate);
  return rate === null || tinycents === null
    ? ''
    : `, ${dollars(tinycents)} at the rate of ${utc(rate.at)} UTC`;
}
