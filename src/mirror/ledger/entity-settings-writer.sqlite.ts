import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { EntityChange } from './rows.ts';

/** Stores what a unit changes of accounts and contracts. */
export interface EntitySettingsWriter {
  /** In the order of the transactions; the caller opens the database transaction. */
  apply(changes: readonly EntityChange[]): void;
}

type Column = bigint | number | string | Uint8Array | null;

/** The column of each member, in the order of the statement. */
const COLUMNS: readonly (readonly [column: string, value: (change: EntityChange) => Column | undefined])[] = [
  ['changed_ts', (change) => change.changedTimestamp],
  ['key', (change) => change.key],
  ['memo', (change) => change.memo],
  ['auto_renew_period', (change) => change.autoRenewPeriod],
  ['auto_renew_account', (change) => change.autoRenewAccount],
  ['expiry_ts', (change) => change.expiryTimestamp],
  ['deleted', (change) => flag(change.isDeleted)],
  ['receiver_sig_required', (change) => flag(change.isReceiverSigRequired)],
  ['max_automatic_associations', (change) => change.maxAutomaticAssociations],
  ['decline_reward', (change) => flag(change.declinesReward)],
  ['staked_account', (change) => change.stakedAccount],
  ['staked_node', (change) => change.stakedNode],
  ['stake_period_start', (change) => change.stakePeriodStart],
  ['ethereum_nonce', (change) => change.ethereumNonce],
  ['proxy_account', (change) => change.proxyAccount],
  ['obtainer', (change) => change.obtainer],
  ['permanent_removal', (change) => flag(change.isPermanentRemoval)],
];

/** Prepares the statements once. */
export function createEntitySettingsWriter(database: SqliteDatabase): EntitySettingsWriter {
  const names = COLUMNS.map(([column]) => column);
  const read = database
    .prepare<[bigint], Readonly<Record<string, Column>>>(
      `select ${names.join(', ')} from entity_settings where id = ?`,
    )
    .safeIntegers(true);
  const write = database.prepare(
    `insert or replace into entity_settings (id, ${names.join(', ')}) values (?, ${names.map(() => '?').join(', ')})`,
  );
  const setType = database.prepare(
    `insert into entity (id, type) values (?, ?) on conflict (id) do update set type = excluded.type
     where entity.type is null`,
  );
  return {
    apply(changes) {
      for (const change of changes) {
        const stored = read.get(change.entity);
        write.run(
          change.entity,
          ...COLUMNS.map(([column, value]) => {
            const given = value(change);
            return given === undefined ? (stored?.[column] ?? null) : given;
          }),
        );
        if (change.type !== undefined) setType.run(change.entity, change.type);
      }
    },
  };
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
