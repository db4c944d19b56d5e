import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { AddressBook, LedgerUnit, NodeChange, StakeUpdate } from './rows.ts';

/** Stores what a unit changes beside its transactions. */
export interface StateWriter {
  /** The caller opens the database transaction. */
  apply(unit: LedgerUnit): void;
}

interface NodeRow {
  readonly account_id: bigint | null;
  readonly admin_key: Buffer | null;
  readonly decline_reward: bigint | null;
  readonly grpc_proxy_endpoint: string | null;
  readonly associated_registered_nodes: string;
  readonly deleted: bigint;
}

/** Prepares the statements once. @see contracts/mirror-network.md section 7 */
export function createStateWriter(database: SqliteDatabase): StateWriter {
  const putPiece = database.prepare(
    `insert into file_piece (file_id, consensus_ts, tx_type, contents) values (?, ?, ?, ?)
     on conflict (file_id, consensus_ts) do nothing`,
  );
  const putBook = database.prepare(
    'insert into address_book (file_id, start_ts) values (?, ?) on conflict (file_id, start_ts) do nothing',
  );
  const putEntry = database.prepare(
    `insert into address_book_entry (file_id, start_ts, node_id, node_account, description, memo, public_key,
       node_cert_hash, service_endpoints)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (file_id, start_ts, node_id) do nothing`,
  );
  const putNetworkStake = database.prepare(
    `insert into network_stake (consensus_ts, staking_period_end, max_stake_rewarded,
       max_staking_reward_rate_per_hbar, max_total_reward, node_reward_fee_numerator,
       node_reward_fee_denominator, reserved_staking_rewards, reward_balance_threshold, stake_total,
       staking_period_duration, staking_periods_stored, staking_reward_fee_numerator,
       staking_reward_fee_denominator, staking_reward_rate, staking_start_threshold,
       unreserved_staking_reward_balance)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (consensus_ts) do nothing`,
  );
  const putNodeStake = database.prepare(
    `insert into node_stake (consensus_ts, node_id, max_stake, min_stake, reward_rate, stake,
       stake_not_rewarded, stake_rewarded)
     values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (consensus_ts, node_id) do nothing`,
  );
  const putToken = database.prepare(
    `insert into token_state (token_id, kind, custom_fee_count, consensus_ts) values (?, ?, ?, ?)
     on conflict (token_id) do update set kind = excluded.kind, custom_fee_count = excluded.custom_fee_count,
       consensus_ts = excluded.consensus_ts where excluded.consensus_ts >= token_state.consensus_ts`,
  );
  const putTopic = database.prepare(
    `insert into topic_state (topic_id, fixed_fee_count, consensus_ts) values (?, ?, ?)
     on conflict (topic_id) do update set fixed_fee_count = excluded.fixed_fee_count,
       consensus_ts = excluded.consensus_ts where excluded.consensus_ts >= topic_state.consensus_ts`,
  );
  const putRate = database.prepare(
    `insert into rate_observation (consensus_ts, contents) select @at, @contents
     where coalesce((select contents from rate_observation where consensus_ts < @at
       order by consensus_ts desc limit 1) <> @contents, true)
     on conflict (consensus_ts) do nothing`,
  );
  const putEntity = database.prepare(
    `insert into entity (id, type, alias, evm_address, created_ts) values (?, ?, ?, ?, ?)
     on conflict (id) do update set type = excluded.type, alias = coalesce(excluded.alias, entity.alias),
       evm_address = coalesce(excluded.evm_address, entity.evm_address),
       created_ts = coalesce(entity.created_ts, excluded.created_ts)`,
  );
  const putIdentity = database.prepare(
    `insert into ledger_identity (only_row, consensus_ts, ledger_id) values (1, ?, ?)
     on conflict (only_row) do update set consensus_ts = excluded.consensus_ts, ledger_id = excluded.ledger_id`,
  );
  const changeNode = createNodeWriter(database);

  const storeBook = (book: AddressBook) => {
    putBook.run(book.file, book.startTimestamp);
    for (const entry of book.entries) {
      putEntry.run(
        book.file,
        book.startTimestamp,
        entry.nodeId,
        entry.nodeAccount,
        entry.description,
        entry.memo,
        entry.publicKey,
        entry.nodeCertHash,
        JSON.stringify(entry.serviceEndpoints),
      );
    }
  };
  const storeStake = (update: StakeUpdate) => {
    if (update.nodesOnly !== true) storeNetworkStake(update);
    for (const node of update.nodes) {
      putNodeStake.run(
        update.consensusTimestamp,
        node.nodeId,
        node.maxStake,
        node.minStake,
        node.rewardRate,
        node.stake,
        node.stakeNotRewarded,
        node.stakeRewarded,
      );
    }
  };
  const storeNetworkStake = (update: StakeUpdate) => {
    putNetworkStake.run(
      update.consensusTimestamp,
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
    );
  };

  return {
    apply(unit) {
      for (const { file, consensusTimestamp, transactionType, contents } of unit.filePieces) {
        putPiece.run(file, consensusTimestamp, transactionType, contents);
      }
      unit.addressBooks.forEach(storeBook);
      unit.nodeChanges.forEach(changeNode);
      unit.stakeUpdates.forEach(storeStake);
      for (const { consensusTimestamp, ledgerId } of unit.identities) {
        putIdentity.run(consensusTimestamp, ledgerId);
      }
      for (const { consensusTimestamp, contents } of unit.rates) {
        putRate.run({ at: consensusTimestamp, contents });
      }
      for (const { token, kind, customFeeCount, consensusTimestamp } of unit.tokens) {
        putToken.run(token, kind, customFeeCount, consensusTimestamp);
      }
      for (const { topic, fixedFeeCount, consensusTimestamp } of unit.topics) {
        putTopic.run(topic, fixedFeeCount, consensusTimestamp);
      }
      for (const { entity, type, alias, evmAddress, createdTimestamp } of unit.entities) {
        putEntity.run(entity, type, alias, evmAddress, createdTimestamp);
      }
    },
  };
}

/** Members that a change leaves undefined keep what is stored. */
function createNodeWriter(database: SqliteDatabase): (change: NodeChange) => void {
  const read = database
    .prepare<[bigint], NodeRow>(
      `select account_id, admin_key, decline_reward, grpc_proxy_endpoint, associated_registered_nodes, deleted
       from node where node_id = ?`,
    )
    .safeIntegers(true);
  const write = database.prepare(
    `insert into node (node_id, changed_ts, account_id, admin_key, decline_reward, grpc_proxy_endpoint,
       associated_registered_nodes, deleted, created_ts)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (node_id) do update set changed_ts = excluded.changed_ts, account_id = excluded.account_id,
       admin_key = excluded.admin_key, decline_reward = excluded.decline_reward,
       grpc_proxy_endpoint = excluded.grpc_proxy_endpoint,
       associated_registered_nodes = excluded.associated_registered_nodes, deleted = excluded.deleted,
       created_ts = coalesce(excluded.created_ts, node.created_ts)`,
  );
  return (change) => {
    const stored = read.get(change.nodeId);
    const registeredNodes = change.associatedRegisteredNodes;
    write.run(
      change.nodeId,
      change.consensusTimestamp,
      change.account === undefined ? (stored?.account_id ?? null) : change.account,
      change.adminKey === undefined ? (stored?.admin_key ?? null) : change.adminKey,
      change.declineReward === undefined
        ? (stored?.decline_reward ?? null)
        : change.declineReward === null
          ? null
          : Number(change.declineReward),
      change.grpcProxyEndpoint === undefined
        ? (stored?.grpc_proxy_endpoint ?? null)
        : change.grpcProxyEndpoint === null
          ? null
          : JSON.stringify(change.grpcProxyEndpoint),
      registeredNodes === undefined
        ? (stored?.associated_registered_nodes ?? '[]')
        : `[${registeredNodes.join(',')}]`,
      change.deleted === undefined ? (stored?.deleted ?? 0n) : Number(change.deleted),
      change.createdTimestamp ?? null,
    );
  };
}
