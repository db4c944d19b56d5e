import type { EntityId } from '../../../values/entity-id.ts';
import { decodeEntityId } from '../../../values/entity-id.ts';
import { column, stateTable } from '../../../values/stored-tables.ts';
import { SYSTEM_ACCOUNT } from '../../vocabulary/system-accounts.ts';
import { placesIn } from '../fold/change-order.ts';
import type { FoldedUnit, FoldState, StakeSettings } from '../fold/fold-state.ts';
import type { Facet } from './facet.ts';

/** A stake that a fixture states, with the range in which it holds. */
export interface StatedStake {
  readonly account: EntityId;
  readonly lower: bigint;
  /** Exclusive; null while it holds. */
  readonly upper: bigint | null;
  /** Day since 1970. */
  readonly endStakePeriod: bigint;
  /** Tinybars, as all amounts. */
  readonly pendingReward: bigint;
  /** −1 for none. */
  readonly stakedNode: bigint;
  readonly stakedToMe: bigint;
  readonly stakeTotal: bigint;
}

const VALUES = {
  endStakePeriod: column<bigint>('end_stake_period'),
  pendingReward: column<bigint>('pending_reward'),
  stakedNode: column<bigint>('staked_node'),
  stakedToMe: column<bigint>('staked_to_me'),
  stakeTotal: column<bigint>('stake_total'),
};
const STAKE = stateTable(
  'stake_row',
  { account: 'account_id' },
  { lower: column<bigint>('lower_ts'), ...VALUES },
);
const STAKE_HISTORY = stateTable('stake_history', { account: 'account_id', lower: 'lower_ts' }, VALUES);
const DAY_NANOS = 86_400_000_000_000n;

/**
 * What accounts have staked to nodes at the end of each staking period, and the rewards that are due for it: computed
 * from the state of all accounts, and therefore in complete ledgers alone.
 *
 * @see contracts/mirror-entities.md section 11.8; docs/adr/0017-ledger-state-is-a-fold.md
 */
export const stakeRows: Facet<'statedStakes', StatedStake> = {
  name: 'statedStakes',

  fold(folded, state) {
    const { clock, unit } = folded;
    for (const { lower, upper, ...stake } of unit.statedStakes) {
      state.rows(upper === null ? STAKE : STAKE_HISTORY).set({ ...stake, lower });
    }
    if (unit.header.kind === 'fixture' || !clock.isComplete || clock.forgottenAt !== null) return;
    for (const { consensusTimestamp: at, isTold, nodesOnly } of unit.stakeUpdates) {
      if (isTold !== true && nodesOnly !== true) endPeriod(at, folded, state);
    }
  },

  rebuild: { replaced: ['stake_row', 'stake_history'] },
};

/** @param at when the update tells that the period of the day before has ended */
function endPeriod(at: bigint, { added, settingsBefore, unit }: FoldedUnit, state: FoldState): void {
  const payer = added[0]?.payer ?? 0n;
  const rewardAccount = payer - decodeEntityId(payer).num + SYSTEM_ACCOUNT.STAKING_REWARD;
  // Behind the update in its unit, whatever the times.
  const moved = added
    .slice(added.findIndex(({ consensusTimestamp }) => consensusTimestamp === at) + 1)
    .flatMap(({ transfers }) => transfers)
    .filter(({ neverHappened }) => neverHappened !== true);
  const placeOf = placesIn(unit);
  const changedLater = new Map<bigint, StakeSettings | null>();
  for (const [{ changedTimestamp: time, entity, isOpening }, before] of settingsBefore) {
    if (time === undefined || changedLater.has(entity)) continue;
    // What the first block states has no place among its transactions.
    const isLater = isOpening === true ? time > at : placeOf(time) > placeOf(at);
    if (isLater) changedLater.set(entity, before);
  }
  state.changeAfterAll({
    name: 'end-stake-period',
    values: [at, at / DAY_NANOS - 1n, rewardAccount],
    // Balances are those of the end of the unit, but for what moved after the update.
    pairs: moved.map(({ account, amount }) => [account, amount] as const),
    changedLater,
  });
}
