import type { RateDocument, RatesDocument } from '../ask/documents.ts';

/** The rate that holds at a time: the current one until it expires, then the next one. */
export function rateAt({ current_rate, next_rate }: RatesDocument, seconds: bigint): RateDocument {
  return seconds < current_rate.expiration_time ? current_rate : next_rate;
}
