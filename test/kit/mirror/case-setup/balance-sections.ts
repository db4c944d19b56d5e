import type { StatedSnapshot } from '../../../../src/mirror/ledger/facets/snapshot-tables.ts';
import type { StatedStake } from '../../../../src/mirror/ledger/facets/stake-rows.ts';
import type { FixtureRows } from '../../../../src/mirror/ledger/fixture-unit.ts';
import { SYSTEM_ACCOUNT } from '../../../../src/mirror/vocabulary/system-accounts.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { decodeEntityId } from '../../../../src/values/entity-id.ts';
import {
  type CaseRow,
  type CaseSetup,
  id,
  integer,
  numberedId,
  rows,
  section,
  timeRange,
} from './case-row.ts';

const DAY_NANOS = 86_400_000_000_000n;

/** Sections `balances` and `tokenBalance`, which are snapshots, and `entityStakes`. */
export function balanceSections(setup: CaseSetup): FixtureRows {
  return {
    statedStakes: section(setup, 'entityStakes').map(stake),
    statedSnapshots: [
      ...section(setup, 'balances').map(balanceSnapshot),
      ...section(setup, 'tokenBalance').map(tokenSnapshot),
    ],
  };
}

/** As in the reference, the times of snapshots are those of account 2. */
function balanceSnapshot(row: CaseRow): StatedSnapshot {
  const account = numberedId(row, 'id', 'realm_num');
  return {
    account,
    balance: integer(row, 'balance', 0n),
    timestamp: consensusTimestamp(integer(row, 'timestamp', 0n)),
    tokens: rows(row, 'tokens').map((token) => ({
      token: numberedId(token, 'token_num', 'token_realm'),
      balance: integer(token, 'balance'),
    })),
    isTime: decodeEntityId(account).num === SYSTEM_ACCOUNT.TREASURY,
  };
}

function tokenSnapshot(row: CaseRow): StatedSnapshot {
  return {
    account: id(row, 'account_id'),
    balance: null,
    timestamp: consensusTimestamp(integer(row, 'consensus_timestamp', 0n)),
    tokens: [{ token: id(row, 'token_id'), balance: integer(row, 'balance', 0n) }],
    isTime: false,
  };
}

/** Without a range it holds since the day after its period. */
function stake(row: CaseRow): StatedStake {
  const endStakePeriod = integer(row, 'end_stake_period', 1n);
  const { lower, upper } = timeRange(row, (endStakePeriod + 1n) * DAY_NANOS + 1n);
  return {
    account: id(row, 'id'),
    lower,
    upper,
    endStakePeriod,
    pendingReward: integer(row, 'pending_reward', 0n),
    stakedNode: integer(row, 'staked_node_id_start', 1n),
    stakedToMe: integer(row, 'staked_to_me', 0n),
    stakeTotal: integer(row, 'stake_total_start', 0n),
  };
}
