import { withoutEnding } from '../../../values/without-ending.ts';

const HBAR_DECIMALS = 8;
/** Tinycents in a dollar are 10^10. */
const USD_DECIMALS = 10;
/** Tinycents in a cent are 10^8. */
const CENT_DECIMALS = 8;

/** Digits in groups of three: `1,234,567`. */
export function grouped(value: bigint): string {
  return value.toString().replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Of a unit; tokens may have two thousand million of them, most of which would be zeros. */
const MAX_DECIMALS = 40;

/** An integer that counts parts of a unit, with all its decimals, `1,234.50000000`; of too many `123 × 10⁻⁹⁹` as `123e-99`. */
export function decimal(value: bigint, decimals: number): string {
  if (decimals === 0) return grouped(value);
  if (decimals > MAX_DECIMALS) return `${value}e-${decimals}`;
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  return `${sign}${grouped(BigInt(digits.slice(0, -decimals)))}.${digits.slice(-decimals)}`;
}

/** Tinybars as hbar: `12.00000001 ℏ`. */
export function hbar(tinybars: bigint): string {
  return `${decimal(tinybars, HBAR_DECIMALS)} ℏ`;
}

/** With a plus for what an account gets. */
export function signed(amount: bigint, text: string): string {
  return amount > 0n ? `+${text}` : text;
}

/** Tinycents in dollars, without zeros at the end but for the cents: `$0.0003`. */
export function dollars(tinycents: bigint): string {
  return `$${trimmed(decimal(tinycents, USD_DECIMALS), 2)}`;
}

/** Tinycents in cents: `0.03 ¢`. */
export function cents(tinycents: bigint): string {
  return `${trimmed(decimal(tinycents, CENT_DECIMALS), 0)} ¢`;
}

/** An exchange rate. */
export interface Rate {
  readonly cent_equivalent: bigint;
  readonly hbar_equivalent: bigint;
}

/** What tinybars are worth in tinycents, rounded down: both have the same number of parts. */
export function worth(tinybars: bigint, { cent_equivalent, hbar_equivalent }: Rate): bigint | null {
  return hbar_equivalent < 1n ? null : (tinybars * cent_equivalent) / hbar_equivalent;
}

/** The price of one hbar: `$0.12`. */
export function priceOfHbar({ cent_equivalent, hbar_equivalent }: Rate): string | null {
  if (hbar_equivalent < 1n) return null;
  // In millionths of a dollar: a cent has ten thousand.
  return `$${trimmed(decimal((cent_equivalent * 10_000n) / hbar_equivalent, 6), 2)}`;
}

function trimmed(text: string, atLeast: number): string {
  const point = text.indexOf('.');
  const kept = withoutEnding(text.slice(point + 1), '0');
  const decimals = kept.padEnd(atLeast, '0');
  return decimals === '' ? text.slice(0, point) : `${text.slice(0, point)}.${decimals}`;
}
