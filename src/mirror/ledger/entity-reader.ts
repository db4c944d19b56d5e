import { bytes, flag, int64, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import type { EntityType } from './rows.ts';

/** Selects whether an entity is deleted: what was created here and not deleted is there. */
export const deletedOf = (deleted: string, created: string) =>
  `coalesce(${deleted}, case when ${created} is not null then 0 end) as deleted`;

/**
 * An entity as it is, or as it was for a time; null is what the imported ledger does not tell.
 *
 * @param of selects what settings that hold and former ones have in other places
 */
export const entityTable = (of: Readonly<Record<'id' | 'balances' | 'since' | 'until' | 'nonce', string>>) =>
  rowTable({
    id: int64(of.id),
    type: text<EntityType | null>('e.type'),
    alias: bytes<Uint8Array | null>('e.alias'),
    evmAddress: bytes<Uint8Array | null>('e.evm_address'),
    createdTimestamp: int64<bigint | null>('e.created_ts'),
    /** Tinybars. */
    balance: int64<bigint | null>(`${of.balances}.balance`),
    /** When the balance last changed. */
    balanceTimestamp: int64<bigint | null>(
      `case when ${of.balances}.balance is not null then ${of.balances}.balance_ts end as balance_ts`,
    ),
    /** Since when the settings hold. */
    changedTimestamp: int64<bigint | null>(`${of.since} as changed_ts`),
    /** When they held no longer; null for those that hold. */
    heldUntil: int64<bigint | null>(`${of.until} as held_until`),
    /** Serialized protobuf `Key`. */
    key: bytes<Uint8Array | null>('s.key'),
    memo: text<string | null>('s.memo'),
    /** Seconds. */
    autoRenewPeriod: int64<bigint | null>('s.auto_renew_period'),
    autoRenewAccount: int64<bigint | null>('s.auto_renew_account'),
    expiryTimestamp: int64<bigint | null>('s.expiry_ts'),
    isDeleted: flag<boolean | null>(deletedOf('s.deleted', 'e.created_ts')),
    isReceiverSigRequired: flag<boolean | null>('s.receiver_sig_required'),
    maxAutomaticAssociations: int64<bigint | null>('s.max_automatic_associations'),
    declinesReward: flag<boolean | null>('s.decline_reward'),
    stakedAccount: int64<bigint | null>('s.staked_account'),
    stakedNode: int64<bigint | null>('s.staked_node'),
    /** Null as well when no node is staked to. */
    stakePeriodStart: int64<bigint | null>(
      'case when s.staked_node is not null then s.stake_period_start end as stake_period_start',
    ),
    ethereumNonce: int64<bigint | null>(`${of.nonce} as ethereum_nonce`),
    proxyAccount: int64<bigint | null>('s.proxy_account'),
    obtainer: int64<bigint | null>('s.obtainer'),
    isPermanentRemoval: flag<boolean | null>('s.permanent_removal'),
    /** 20 bytes. */
    delegationAddress: bytes<Uint8Array | null>('s.delegation_address'),
  });
export type EntityState = RecordOf<ReturnType<typeof entityTable>>;

/** When an entity was as it was: any time within the bounds, both inclusive, and at none of the others. */
export interface EntityTimes {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly excluded: readonly bigint[];
}
