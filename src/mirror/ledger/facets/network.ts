import { int64, json, rowTable } from '../../../values/row-table.ts';
import { appendTable } from '../../../values/stored-tables.ts';
import type { FoldState } from '../fold/fold-state.ts';
import type { AddressBook, AddressBookEntry, NodeStake, StakeUpdate } from '../rows.ts';
import type { Facet } from './facet.ts';

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
const ENTRY = rowTable<AddressBookEntry>({
  nodeId: int64('node_id'),
  nodeAccount: int64('node_account'),
  description: 'description',
  memo: 'memo',
  publicKey: 'public_key',
  nodeCertHash: 'node_cert_hash',
  serviceEndpoints: json('service_endpoints'),
});
const ADDRESS_BOOK_ENTRY = appendTable('address_book_entry', 3, ['file_id', 'start_ts', ...ENTRY.columns]);

/** What a stake update tells of the network. */
export const NETWORK_STAKE = rowTable<Omit<StakeUpdate, 'isTold' | 'nodes' | 'nodesOnly'>>({
  consensusTimestamp: int64('consensus_ts'),
  stakingPeriodEnd: int64('staking_period_end'),
  maxStakeRewarded: int64('max_stake_rewarded'),
  maxStakingRewardRatePerHbar: int64('max_staking_reward_rate_per_hbar'),
  maxTotalReward: int64('max_total_reward'),
  nodeRewardFeeNumerator: int64('node_reward_fee_numerator'),
  nodeRewardFeeDenominator: int64('node_reward_fee_denominator'),
  reservedStakingRewards: int64('reserved_staking_rewards'),
  rewardBalanceThreshold: int64('reward_balance_threshold'),
  stakeTotal: int64('stake_total'),
  stakingPeriodDuration: int64('staking_period_duration'),
  stakingPeriodsStored: int64('staking_periods_stored'),
  stakingRewardFeeNumerator: int64('staking_reward_fee_numerator'),
  stakingRewardFeeDenominator: int64('staking_reward_fee_denominator'),
  stakingRewardRate: int64('staking_reward_rate'),
  stakingStartThreshold: int64('staking_start_threshold'),
  unreservedStakingRewardBalance: int64('unreserved_staking_reward_balance'),
});
const NETWORK_STAKES = appendTable('network_stake', 1, NETWORK_STAKE.columns);
/** What it tells of a node. */
export const NODE_STAKE = rowTable<NodeStake>({
  nodeId: int64('node_id'),
  maxStake: int64('max_stake'),
  minStake: int64('min_stake'),
  rewardRate: int64('reward_rate'),
  stake: int64('stake'),
  stakeNotRewarded: int64('stake_not_rewarded'),
  stakeRewarded: int64('stake_rewarded'),
});
const NODE_STAKES = appendTable('node_stake', 2, ['consensus_ts', ...NODE_STAKE.columns, 'is_told']);

/** System files with their address books, and stakes. */
export const network: Facet<never> = {
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
    state.append(ADDRESS_BOOK_ENTRY, [file, startTimestamp, ...ENTRY.values(entry)]);
  }
}

function addStakes(update: StakeUpdate, state: FoldState): void {
  const { consensusTimestamp: at, isTold = false, nodes, nodesOnly } = update;
  if (nodesOnly !== true) state.append(NETWORK_STAKES, NETWORK_STAKE.values(update));
  for (const node of nodes) state.append(NODE_STAKES, [at, ...NODE_STAKE.values(node), Number(isTold)]);
}
