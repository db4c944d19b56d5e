import type { FoldState } from '../fold/fold-state.ts';
import type { StateFold } from '../fold/state-fold.ts';
import { appendTable } from '../fold/tables.ts';
import type { AddressBook, StakeUpdate } from '../rows.ts';

const FILE_PIECE = appendTable('file_piece', 2, [
  'file_id',
  'consensus_ts',
  'tx_type',
  'contents',
  'is_told',
  'place',
  'seq',
]);
const ADDRESS_BOOK = appendTable('address_book', 2, ['file_id', 'start_ts', 'is_told']);
const ADDRESS_BOOK_ENTRY = appendTable('address_book_entry', 3, [
  'file_id',
  'start_ts',
  'node_id',
  'node_account',
  'description',
  'memo',
  'public_key',
  'node_cert_hash',
  'service_endpoints',
]);
const NETWORK_STAKE = appendTable('network_stake', 1, [
  'consensus_ts',
  'staking_period_end',
  'max_stake_rewarded',
  'max_staking_reward_rate_per_hbar',
  'max_total_reward',
  'node_reward_fee_numerator',
  'node_reward_fee_denominator',
  'reserved_staking_rewards',
  'reward_balance_threshold',
  'stake_total',
  'staking_period_duration',
  'staking_periods_stored',
  'staking_reward_fee_numerator',
  'staking_reward_fee_denominator',
  'staking_reward_rate',
  'staking_start_threshold',
  'unreserved_staking_reward_balance',
]);
const NODE_STAKE = appendTable('node_stake', 2, [
  'consensus_ts',
  'node_id',
  'max_stake',
  'min_stake',
  'reward_rate',
  'stake',
  'stake_not_rewarded',
  'stake_rewarded',
  'is_told',
]);

/** System files with their address books, and stakes. */
export const network: StateFold = {
  fold({ place, unit }, state) {
    for (const [seq, piece] of unit.filePieces.entries()) {
      const { consensusTimestamp: at, contents, file, isTold = false, transactionType } = piece;
      const pieceAt = unit.header.kind === 'fixture' ? at : place;
      state.append(FILE_PIECE, [file, at, transactionType, contents, Number(isTold), pieceAt, seq]);
    }
    for (const book of unit.addressBooks) addBook(book, state);
    for (const update of unit.stakeUpdates) addStakes(update, state);
  },

  // A start book has no transaction that it could be rebuilt from.
  rebuild: {
    added: ['file_piece', 'address_book', 'address_book_entry', 'network_stake', 'node_stake'],
  },
};

/** A book that is vouched for takes the place of one that was only told. */
function addBook({ entries, file, isTold = false, startTimestamp }: AddressBook, state: FoldState): void {
  if (!isTold) {
    state.change({ name: 'drop-told-entries', values: [file, startTimestamp] });
    state.change({ name: 'drop-told-book', values: [file, startTimestamp] });
  }
  state.append(ADDRESS_BOOK, [file, startTimestamp, Number(isTold)]);
  for (const entry of entries) {
    state.append(ADDRESS_BOOK_ENTRY, [
      file,
      startTimestamp,
      entry.nodeId,
      entry.nodeAccount,
      entry.description,
      entry.memo,
      entry.publicKey,
      entry.nodeCertHash,
      JSON.stringify(entry.serviceEndpoints),
    ]);
  }
}

function addStakes(update: StakeUpdate, state: FoldState): void {
  const at = update.consensusTimestamp;
  if (update.nodesOnly !== true) {
    state.append(NETWORK_STAKE, [
      at,
      update.stakingPeriodEnd,
      update.maxStakeRewarded,
      update.maxStakingRewardRatePerHbar,
      update.maxTotalReward,
      update.nodeRewardFeeNumerator,
      update.nodeRewardFeeDenominator,
      update.reservedStakingRewards,
      update.rewardBalanceThreshold,
      update.stakeTotal,
      update.stakingPeriodDuration,
      update.stakingPeriodsStored,
      update.stakingRewardFeeNumerator,
      update.stakingRewardFeeDenominator,
      update.stakingRewardRate,
      update.stakingStartThreshold,
      update.unreservedStakingRewardBalance,
    ]);
  }
  for (const node of update.nodes) {
    const { maxStake, minStake, nodeId, rewardRate, stake, stakeNotRewarded, stakeRewarded } = node;
    state.append(NODE_STAKE, [
      at,
      nodeId,
      maxStake,
      minStake,
      rewardRate,
      stake,
      stakeNotRewarded,
      stakeRewarded,
      Number(update.isTold ?? false),
    ]);
  }
}
