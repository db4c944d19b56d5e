import type { Clock } from '../../values/clock.ts';
import type { BalanceRepository, TokenBalance } from '../balances/balance-repository.ts';
import { findSnapshot } from '../balances/balance-snapshots.ts';
import type { EntityState } from '../ledger/entity-reader.ts';
import type { TimestampCondition } from '../parameters/timestamp-text.ts';

/** What an account holds. */
export interface HeldBalance {
  /** Tinybars. */
  readonly balance: bigint | null;
  readonly timestamp: bigint | null;
  readonly tokens: readonly TokenBalance[];
}

interface HeldDependencies {
  readonly balances: BalanceRepository;
  readonly clock: Clock;
  /** More are not shown. */
  readonly tokensOfAccount: number;
}

const NANOS_PER_MILLISECOND = 1_000_000n;

/**
 * What an account holds now, or held at the newest snapshot that the conditions leave: an account that it does not have
 * held nothing. Without a snapshot it is the balance of the state itself.
 *
 * @see contracts/mirror-entities.md section 3, balance
 */
export async function heldAt(
  entity: EntityState,
  times: readonly TimestampCondition[],
  { balances, clock, tokensOfAccount }: HeldDependencies,
): Promise<HeldBalance> {
  const { balance, balanceTimestamp: timestamp, id } = entity;
  if (times.length === 0) {
    return { balance, timestamp, tokens: await balances.tokensOf(id, tokensOfAccount, null, 'asc') };
  }
  const snapshot = await findSnapshot(times, BigInt(clock.now()) * NANOS_PER_MILLISECOND, balances);
  if (snapshot === null) return { balance, timestamp, tokens: [] };
  return {
    balance: (await balances.balanceAt(id, snapshot)) ?? 0n,
    timestamp: snapshot.at,
    tokens: await balances.tokensOf(id, tokensOfAccount, snapshot, 'asc'),
  };
}
