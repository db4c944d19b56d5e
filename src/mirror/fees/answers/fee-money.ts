import type { EntityId } from '../../../values/entity-id.ts';
import type { MaybePromise } from '../../../values/map-maybe.ts';
import type { FileRepository } from '../../ledger/files/file-repository.ts';
import { type ExchangeRate, parseExchangeRates } from '../../network/exchange-rate.ts';
import { DEFAULT_FILE_ATTEMPTS, readSystemFile } from '../../network/system-file.ts';

/** The exchange rate in force, and when the ledger set it. */
export interface UsedRate extends ExchangeRate {
  /** Consensus time of the rates' file. */
  readonly timestamp: bigint;
}

const USD_DECIMALS = 10;
const HBAR_DECIMALS = 8;

/**
 * Gives the exchange rate in force: the current one of file 0.0.112 until it expires, then the next one.
 *
 * @param now seconds
 * @returns a function that gives null while the ledger has none.
 */
export function exchangeRateNow(
  files: FileRepository,
  file: EntityId,
  now: () => MaybePromise<bigint>,
): () => Promise<UsedRate | null> {
  return async () => {
    const bounds = { lower: null, upper: null };
    const read = await readSystemFile(files, file, bounds, parseExchangeRates, DEFAULT_FILE_ATTEMPTS);
    if (read === null) return null;
    const { current, next } = read.value;
    const rate = (await now()) < current.expirationTime ? current : next;
    return rate.centEquivalent < 1 || rate.hbarEquivalent < 1 ? null : { ...rate, timestamp: read.timestamp };
  };
}

/**
 * Converts tinycents. One hbar and one cent have the same number of parts, so their factors cancel.
 *
 * @example 3_000_000 tinycents are "0.0003000000" dollars
 * @see contracts/fees-estimate.md section 3
 */
export function toMoney(tinycents: bigint, rate: UsedRate) {
  const tinybars = (tinycents * BigInt(rate.hbarEquivalent)) / BigInt(rate.centEquivalent);
  return {
    /** Dollars with 10 decimals, exact. */
    usd: decimal(tinycents, USD_DECIMALS),
    /** With 8 decimals. */
    hbar: decimal(tinybars, HBAR_DECIMALS),
    /** Rounded down. */
    tinybars,
    rate,
  };
}

/** An amount in the units that people pay in. */
export type Money = Readonly<ReturnType<typeof toMoney>>;

/** `usd` alone, for which no rate is needed. */
export function printUsd(tinycents: bigint): string {
  return decimal(tinycents, USD_DECIMALS);
}

function decimal(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
