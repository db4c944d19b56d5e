import type { ColumnValue, Table } from '../../../values/stored-tables.ts';
import type { EntityChange } from '../rows.ts';

/** What a change can set of an entity. */
export type Setting = Exclude<
  keyof EntityChange,
  'changedTimestamp' | 'entity' | 'isOpening' | 'isRewardPeriod' | 'type'
>;

/** The column of each setting, in `entity_settings` and in its history. */
export const SETTING_COLUMNS: { readonly [Name in Setting]-?: string } = {
  key: 'key',
  memo: 'memo',
  autoRenewPeriod: 'auto_renew_period',
  autoRenewAccount: 'auto_renew_account',
  expiryTimestamp: 'expiry_ts',
  isDeleted: 'deleted',
  isReceiverSigRequired: 'receiver_sig_required',
  maxAutomaticAssociations: 'max_automatic_associations',
  declinesReward: 'decline_reward',
  stakedAccount: 'staked_account',
  stakedNode: 'staked_node',
  stakePeriodStart: 'stake_period_start',
  ethereumNonce: 'ethereum_nonce',
  proxyAccount: 'proxy_account',
  obtainer: 'obtainer',
  isPermanentRemoval: 'permanent_removal',
  delegationAddress: 'delegation_address',
};
export const SETTINGS = Object.keys(SETTING_COLUMNS) as readonly Setting[];

/** Settings that held for a time, with the balance at its end. */
interface ClosedEntity {
  readonly id: bigint;
  readonly lower: bigint;
  /** Exclusive. */
  readonly upper: bigint;
  readonly settings: { readonly [Name in Setting]?: ColumnValue };
  readonly publicKey: Uint8Array | null;
  /** Tinybars; null while it was unknown. */
  readonly balance: bigint | null;
  readonly balanceAt: bigint | null;
}

/** A row for each time at which settings gave way to others. */
export const ENTITY_HISTORY: Table = {
  name: 'entity_history',
  keyLength: 2,
  columns: [
    'id',
    'lower_ts',
    'upper_ts',
    'public_key',
    'balance',
    'balance_ts',
    ...SETTINGS.map((name) => SETTING_COLUMNS[name]),
  ],
  onConflict: 'replace',
};

/** The row of {@link ENTITY_HISTORY}. */
export function historyRow(closed: ClosedEntity): readonly ColumnValue[] {
  const { balance, balanceAt, id, lower, publicKey, settings, upper } = closed;
  return [id, lower, upper, publicKey, balance, balanceAt, ...SETTINGS.map((name) => settings[name] ?? null)];
}
