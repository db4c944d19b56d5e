import { toBase32 } from '../../values/base32.ts';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { toHex } from '../../values/hex.ts';
import type { TokenBalance } from '../balances/balance-repository.ts';
import { tokenJson } from '../balances/list-balances.ts';
import type { EntityState } from '../ledger/entity-reader.ts';
import type { ExactJson } from '../ledger/exact-json.ts';
import { keyJson } from '../ledger/key-json.ts';
import { longZeroOf } from '../vocabulary/long-zero-address.ts';

/**
 * The members of `GET /api/v1/accounts/{id}` but the transactions and the link.
 *
 * @see contracts/mirror-roadmap.md, accounts
 */
export function accountDocument(
  entity: EntityState,
  tokens: readonly TokenBalance[],
): Readonly<Record<string, ExactJson>> {
  const key = keyJson(entity.key);
  return {
    account: printEntityId(entity.id),
    alias: entity.alias === null ? null : toBase32(entity.alias),
    auto_renew_period: entity.autoRenewPeriod,
    balance: {
      balance: entity.balance,
      timestamp: timeOrNull(entity.balanceTimestamp),
      tokens: tokens.map(tokenJson),
    },
    created_timestamp: timeOrNull(entity.createdTimestamp),
    decline_reward: entity.declinesReward,
    deleted: entity.isDeleted,
    ethereum_nonce: entity.ethereumNonce,
    evm_address: toHex(entity.evmAddress ?? longZeroOf(entity.id)),
    expiry_timestamp: timeOrNull(entity.expiryTimestamp),
    key: key === null ? null : { ...key },
    max_automatic_token_associations: entity.maxAutomaticAssociations,
    memo: entity.memo,
    // Needs the stakes of every account at the end of each period, which record files do not tell.
    pending_reward: null,
    receiver_sig_required: entity.isReceiverSigRequired,
    staked_account_id: entity.stakedAccount === null ? null : printEntityId(entity.stakedAccount),
    staked_node_id: entity.stakedNode,
    stake_period_start: timeOrNull(entity.stakePeriodStart),
  };
}

function timeOrNull(time: bigint | null): string | null {
  return time === null ? null : printTimestamp(time);
}
