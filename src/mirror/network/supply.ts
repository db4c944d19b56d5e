import { encodeEntityId } from '../../values/entity-id.ts';
import { itemOf, text, time } from '../lists/fields.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import type { AccountRange } from './network-repository.sql.ts';

/** 50 billion hbar in tinybars. */
export const TOTAL_SUPPLY = 5_000_000_000_000_000_000n;

/** How text answers print an amount. */
export type CurrencyFormat = 'BOTH' | 'HBARS' | 'TINYBARS';

/** From and to, both inclusive. */
export type NumRange = readonly [first: number, last: number];

const DECIMALS = 8;

/** The configured numbers as encoded ids of a shard and realm; ranges out of reach are left out. */
export function accountRanges(
  nums: readonly NumRange[],
  { realm, shard }: EntityHome,
): readonly AccountRange[] {
  return nums.flatMap(([from, to]) => {
    const first = encodeEntityId(shard, realm, BigInt(from));
    const last = encodeEntityId(shard, realm, BigInt(to));
    return first === null || last === null ? [] : [{ first, last }];
  });
}

interface Supply {
  /** Tinybars; null in a ledger whose balances are unknown, where the total is fixed by the protocol still. */
  readonly released: bigint | null;
  readonly timestamp: bigint;
}

/** The JSON answer of `GET /api/v1/network/supply`. @see contracts/mirror-network.md section 2 */
export const SUPPLY = itemOf<Supply>()(
  {
    released_supply: text.orNull(
      ({ released }) => (released === null ? null : `${released}`),
      'Tinybars; null in the dialect `hiero` when the ledger began in the middle.',
    ),
    timestamp: time(({ timestamp }) => timestamp),
    total_supply: text(() => `${TOTAL_SUPPLY}`, 'Tinybars.'),
  },
  'Supply',
);

/**
 * The text answer: exactly one number.
 *
 * @param tinybars not negative.
 * @example 9999999999.99999949 for 999999999999999949 tinybars in format BOTH.
 */
export function supplyText(tinybars: bigint, format: CurrencyFormat): string {
  if (format === 'TINYBARS') return tinybars.toString();
  const digits = tinybars.toString().padStart(DECIMALS + 1, '0');
  const whole = digits.slice(0, -DECIMALS);
  return format === 'HBARS' ? whole : `${whole}.${digits.slice(-DECIMALS)}`;
}
