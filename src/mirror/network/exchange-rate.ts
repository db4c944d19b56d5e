import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { integer, itemOf, nested, time } from '../lists/fields.ts';
import type { ExchangeRate as RateMessage } from '../protobuf/message-types.ts';
import { messages, toBigInt } from '../protobuf/messages.ts';
import type { ReadFile } from './system-file.ts';

/** The price of hbar until a time: `centEquivalent / hbarEquivalent` cents each. */
export interface ExchangeRate {
  readonly centEquivalent: number;
  readonly hbarEquivalent: number;
  /** Seconds since the epoch. */
  readonly expirationTime: bigint;
}

export interface ExchangeRates {
  readonly current: ExchangeRate;
  readonly next: ExchangeRate;
}

/**
 * Reads file 0.0.112.
 *
 * @returns null when the bytes are no complete `ExchangeRateSet`.
 * @see contracts/mirror-network.md section 3
 */
export function parseExchangeRates(contents: Uint8Array): ExchangeRates | null {
  const set = decodeOrNull(() => messages.ExchangeRateSet.decode(contents));
  if (!set?.currentRate || !set.nextRate) return null;
  return { current: exchangeRate(set.currentRate), next: exchangeRate(set.nextRate) };
}

const RATE = itemOf<ExchangeRate>()(
  {
    cent_equivalent: integer(({ centEquivalent }) => centEquivalent),
    expiration_time: integer(({ expirationTime }) => expirationTime, 'Seconds since the epoch.'),
    hbar_equivalent: integer(({ hbarEquivalent }) => hbarEquivalent),
  },
  'ExchangeRate',
);

/** The answer of `GET /api/v1/network/exchangerate`. @see contracts/mirror-network.md section 3 */
export const EXCHANGE_RATES = itemOf<ReadFile<ExchangeRates>>()(
  {
    current_rate: nested(RATE)(({ value }) => value.current),
    next_rate: nested(RATE)(({ value }) => value.next),
    timestamp: time(({ timestamp }) => timestamp),
  },
  'ExchangeRates',
);

/** Runs a decoder; null when the bytes are malformed. */
export function decodeOrNull<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch (error) {
    if (error instanceof LedgerlensError && error.code === 'malformed') return null;
    throw error;
  }
}

function exchangeRate({ centEquiv, expirationTime, hbarEquiv }: RateMessage): ExchangeRate {
  return {
    centEquivalent: centEquiv,
    hbarEquivalent: hbarEquiv,
    expirationTime: expirationTime === null ? 0n : toBigInt(expirationTime.seconds),
  };
}
