import type { Clock } from '../../values/clock.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import type { BalanceRepository } from '../balances/balance-repository.ts';
import type { EntityState } from '../ledger/entity-reader.ts';
import { narrowingBounds } from '../network/timestamp-bounds.ts';
import type { TimestampCondition } from '../parameters/timestamp-text.ts';
import type { HeldBalance } from './account-document.ts';

interface HeldDependencies {
  readonly balances: BalanceRepository;
  readonly clock: Clock;
  readonly maxTokens: number;
}

/**
 * What an account holds now, or held at the newest snapshot that the conditions leave: an account that it does not have
 * held nothing. Without a snapshot it is the balance of the state itself.
 *
 * @see contracts/mirror-entities.md section 3, balance
 */
export async function heldAt(
  entity: EntityState,
  times: readonly TimestampCondition[],
  { balances, maxTokens }: HeldDependencies,
): Promise<HeldBalance> {
  const { balance, balanceTimestamp: timestamp, id } = entity;
  if (times.length === 0) {
    return { balance, timestamp, tokens: await balances.tokensOf(id, maxTokens, null, 'asc') };
  }
  const { lower, upper } = narrowingBounds(times.filter(({ operator }) => operator !== 'ne'));
  const snapshot = await balances.newestSnapshot(lower ?? 0n, upper ?? MAX_INT64);
  if (snapshot === null) return { balance, timestamp, tokens: [] };
  const [row] = await balances.page(
    {
      accounts: { kind: 'set', ids: [id] },
      balance: { lower: 0n, upper: MAX_INT64, equal: null, excluded: new Set() },
      keys: null,
      order: 'asc',
      limit: 1,
    },
    snapshot,
  );
  return {
    balance: row?.balance ?? 0n,
    timestamp: snapshot,
    tokens: await balances.tokensOf(id, maxTokens, snapshot, 'asc'),
  };
}
