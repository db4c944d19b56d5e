import type { StateFold } from '../fold/state-fold.ts';
import { type ColumnValue, stateTable } from '../fold/tables.ts';
import type { EntityChange } from '../rows.ts';

type Setting = Exclude<keyof EntityChange, 'entity' | 'type'>;
type EntitySettings = { readonly id: bigint } & { readonly [Name in Setting]: ColumnValue };

const COLUMNS: { readonly [Name in Setting]-?: string } = {
  changedTimestamp: 'changed_ts',
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
};
const SETTINGS = Object.keys(COLUMNS) as readonly Setting[];
const ENTITY_SETTINGS = stateTable<EntitySettings>('entity_settings', { id: 'id' }, COLUMNS);

/** Settings of accounts and contracts: what a change does not name keeps what is stored. */
export const entitySettings: StateFold = {
  touch({ entityChanges }, keys) {
    for (const { entity } of entityChanges) keys.add(ENTITY_SETTINGS, entity);
  },

  fold({ unit }, state) {
    const rows = state.rows(ENTITY_SETTINGS);
    for (const change of unit.entityChanges) {
      const row: Record<string, ColumnValue> = { ...rows.get(change.entity), id: change.entity };
      for (const name of SETTINGS) {
        const given = change[name];
        if (given === undefined) row[name] ??= null;
        else row[name] = typeof given === 'boolean' ? Number(given) : given;
      }
      rows.set(row as EntitySettings);
    }
  },

  rebuild: { replaced: ['entity_settings'] },
};
