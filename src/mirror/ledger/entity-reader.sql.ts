import type { Sql } from '../../storage/sql/sql.ts';
import type { SqlList } from '../../storage/sql/sql-dialect.ts';
import { MAX_CONSENSUS_TIMESTAMP, NANOS_PER_SECOND } from '../../values/consensus-timestamp.ts';
import { prepareEntityByAlias } from './entity-by-address.sql.ts';
import type { EntityReader, EntityState } from './entity-reader.ts';

interface EntityRow {
  readonly type: string | null;
  readonly alias: Buffer | null;
  readonly evm_address: Buffer | null;
  readonly created_ts: bigint | null;
  readonly balance: bigint | null;
  readonly balance_ts: bigint | null;
  readonly changed_ts: bigint | null;
  readonly key: Buffer | null;
  readonly memo: string | null;
  readonly auto_renew_period: bigint | null;
  readonly auto_renew_account: bigint | null;
  readonly expiry_ts: bigint | null;
  readonly deleted: bigint | null;
  readonly receiver_sig_required: bigint | null;
  readonly max_automatic_associations: bigint | null;
  readonly decline_reward: bigint | null;
  readonly staked_account: bigint | null;
  readonly staked_node: bigint | null;
  readonly stake_period_start: bigint | null;
  readonly ethereum_nonce: bigint | null;
  readonly proxy_account: bigint | null;
  readonly obtainer: bigint | null;
  readonly permanent_removal: bigint | null;
  readonly delegation_address: Buffer | null;
  readonly is_complete: bigint | null;
  readonly has_settings: bigint;
}

interface FormerRow extends EntityRow {
  readonly upper_ts: bigint;
}

/** Reads the tables `entity`, `entity_settings` and `entity_history`. */
export function createEntityReader(sql: Sql): EntityReader {
  // An entity can have one row without the other, or be in transactions alone.
  const states = <Value>(wanted: string) =>
    sql.prepareExact<[Value], EntityRow & { readonly wanted: bigint }>(
      `select wanted, e.type, e.alias, e.evm_address, e.created_ts, e.balance, e.balance_ts, s.*,
         (select balances_complete from ledger_state) as is_complete, s.id is not null as has_settings
       from (select ${wanted}) w left join entity e on e.id = wanted left join entity_settings s on s.id = wanted
       where e.id is not null or s.id is not null
         or exists (select 1 from account_tx where account_id = wanted)`,
    );
  const find = states<bigint>('cast(? as bigint) as wanted');
  const findEach = states<SqlList>(`value as wanted from ${sql.dialect.each('given')}`);
  const former = sql.prepareExact<[bigint, bigint, bigint, number], FormerRow>(
    `select e.type, e.alias, e.evm_address, e.created_ts, h.*, h.lower_ts as changed_ts, null as is_complete,
       1 as has_settings
     from entity_history h left join entity e on e.id = h.id
     where h.id = ? and h.lower_ts <= ? and h.upper_ts > ? order by h.lower_ts desc
     limit ?`,
  );
  const byAlias = prepareEntityByAlias(sql);
  return {
    find: sql.reading(function* (id) {
      const row = yield* find.get(id);
      return row === undefined ? null : entityState(id, row);
    }),
    async findEach(ids) {
      if (ids.length === 0) return new Map();
      const rows = await sql.read(() => findEach.all(sql.dialect.list(ids)));
      return new Map(rows.map((row) => [row.wanted, entityState(row.wanted, row)]));
    },
    findAt: sql.reading(function* (id, { excluded, lower, upper }) {
      const row = yield* find.get(id);
      if (row === undefined) return null;
      const since = row.changed_ts ?? row.created_ts ?? 0n;
      if (since <= upper && excluded.every((time) => time < since)) return entityState(id, row);
      // An excluded time is in one row.
      for (const each of yield* former.all(id, upper, lower, excluded.length + 1)) {
        const { changed_ts: from, upper_ts: end } = each;
        if (excluded.every((time) => time < (from ?? 0n) || time >= end)) return entityState(id, each, end);
      }
      return null;
    }),
    byAlias: sql.reading(function* (alias) {
      return yield* byAlias(alias);
    }),
  };
}

/** The type was written by the ledger repository alone. */
function entityState(id: bigint, row: EntityRow, heldUntil: bigint | null = null): EntityState {
  return {
    id,
    type: row.type as EntityState['type'],
    alias: row.alias,
    evmAddress: row.evm_address,
    createdTimestamp: row.created_ts,
    balance: row.balance,
    balanceTimestamp: row.balance === null ? null : row.balance_ts,
    changedTimestamp: row.changed_ts,
    heldUntil,
    key: row.key,
    memo: row.memo,
    autoRenewPeriod: row.auto_renew_period,
    autoRenewAccount: row.auto_renew_account,
    expiryTimestamp: row.expiry_ts ?? expiryOf(row),
    // What was created here and not deleted is there.
    isDeleted: flag(row.deleted) ?? (row.created_ts === null ? null : false),
    isReceiverSigRequired: flag(row.receiver_sig_required),
    maxAutomaticAssociations: row.max_automatic_associations,
    declinesReward: flag(row.decline_reward),
    stakedAccount: row.staked_account,
    stakedNode: row.staked_node,
    stakePeriodStart: row.staked_node === null ? null : row.stake_period_start,
    ethereumNonce: row.ethereum_nonce ?? (isUnusedAccount(row) ? 0n : null),
    proxyAccount: row.proxy_account,
    obtainer: row.obtainer,
    isPermanentRemoval: flag(row.permanent_removal),
    delegationAddress: row.delegation_address,
  };
}

/** What no update set ends a renewal period after the creation, whatever the period is by now. */
function expiryOf({ auto_renew_period: period, created_ts: created }: EntityRow): bigint | null {
  if (period === null || created === null) return null;
  const end = created + period * NANOS_PER_SECOND;
  return end > MAX_CONSENSUS_TIMESTAMP ? MAX_CONSENSUS_TIMESTAMP : end;
}

/**
 * Whether no nonce was counted: a ledger that is known from its first block tells every Ethereum transaction, and
 * settings begin with a nonce there. Contracts count in their own way.
 */
function isUnusedAccount({ has_settings: hasSettings, is_complete: isComplete, type }: EntityRow): boolean {
  return isComplete === 1n && hasSettings === 0n && type !== 'CONTRACT';
}

function flag(value: bigint | null): boolean | null {
  return value === null ? null : value === 1n;
}
