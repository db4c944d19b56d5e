import { toBase32 } from '../../values/base32.ts';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { toHex } from '../../values/hex.ts';
import type { TokenBalance } from '../balances/balance-repository.ts';
import { tokenJson } from '../balances/list-balances.ts';
import type { EntityState } from '../ledger/entity-reader.ts';
import type { ExactJson } from '../ledger/exact-json.ts';
import { keyJson } from '../ledger/key-json.ts';
import { pendingReward, type StakeRow } from '../ledger/stakes.ts';
import { longZeroOf } from '../vocabulary/long-zero-address.ts';

/** What an account holds. */
export interface HeldBalance {
  /** Tinybars. */
  readonly balance: bigint | null;
  readonly timestamp: bigint | null;
  readonly tokens: readonly TokenBalance[];
}

const EVM_ADDRESS_LENGTH = 20;

/**
 * An account as lists and its own answer show it.
 *
 * @param held null where the answer leaves balances out
 * @param stake at the same time; null without one
 * @see contracts/mirror-entities.md section 2
 */
export function accountDocument(
  entity: EntityState,
  held: HeldBalance | null,
  stake: StakeRow | null,
): Readonly<Record<string, ExactJson>> {
  const key = keyJson(entity.key);
  return {
    account: printEntityId(entity.id),
    alias: entity.alias === null ? null : toBase32(entity.alias),
    auto_renew_period: entity.autoRenewPeriod,
    balance:
      held === null
        ? null
        : {
            balance: held.balance,
            timestamp: timeOrNull(held.timestamp),
            tokens: held.tokens.map(tokenJson),
          },
    created_timestamp: timeOrNull(entity.createdTimestamp),
    decline_reward: entity.declinesReward,
    delegation_address: delegation(entity.delegationAddress),
    deleted: entity.isDeleted,
    ethereum_nonce: entity.ethereumNonce,
    evm_address: toHex(evmAddressOf(entity)),
    expiry_timestamp: timeOrNull(entity.expiryTimestamp),
    key: key === null ? null : { ...key },
    max_automatic_token_associations: entity.maxAutomaticAssociations,
    memo: entity.memo,
    pending_reward: pendingReward(stake, entity),
    receiver_sig_required: entity.isReceiverSigRequired,
    staked_account_id: entity.stakedAccount ? printEntityId(entity.stakedAccount) : null,
    staked_node_id: entity.stakedNode,
    stake_period_start: timeOrNull(entity.stakePeriodStart),
  };
}

/** The stored address, the alias that is one, or the number. */
function evmAddressOf({ alias, evmAddress, id }: EntityState): Uint8Array {
  if (evmAddress !== null) return evmAddress;
  return alias?.length === EVM_ADDRESS_LENGTH ? alias : longZeroOf(id);
}

/** Zeros take the address away. */
function delegation(address: Uint8Array | null): string {
  return address === null || address.every((byte) => byte === 0) ? '0x' : toHex(address);
}

function timeOrNull(time: bigint | null): string | null {
  return time === null ? null : printTimestamp(time);
}
