import { prepareLists, type Sql } from '../../storage/sql/sql.ts';
import { MAX_CONSENSUS_TIMESTAMP, NANOS_PER_SECOND } from '../../values/consensus-timestamp.ts';
import { bytes, flag, int64, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import { prepareEntityByAlias } from './entity-by-address.sql.ts';
import type { EntityType } from './rows.ts';

/** Selects whether an entity is deleted: what was created here and not deleted is there. */
export const deletedOf = (deleted: string, created: string) =>
  `coalesce(${deleted}, case when ${created} is not null then 0 end) as deleted`;

/**
 * An entity as it is, or as it was for a time; null is what the imported ledger does not tell.
 *
 * @param of selects what settings that hold and former ones have in other places
 */
const entityTable = (of: Readonly<Record<'id' | 'balances' | 'since' | 'until' | 'nonce', string>>) =>
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

const ENTITY = entityTable({
  id: 'wanted',
  balances: 'e',
  since: 's.changed_ts',
  until: 'cast(null as bigint)',
  // A ledger that is known from its first block tells every Ethereum transaction, and settings begin with a nonce there.
  // Contracts count in their own way.
  nonce: `case when s.id is not null or e.type = 'CONTRACT' then s.ethereum_nonce
    when (select balances_complete from ledger_state) = 1 then 0 end`,
});
const FORMER_ENTITY = entityTable({
  id: 's.id',
  balances: 's',
  since: 's.lower_ts',
  until: 's.upper_ts',
  nonce: 's.ethereum_nonce',
});

/** Reads entities. */
export type EntityReader = ReturnType<typeof createEntityReader>;

/** Reads the tables `entity`, `entity_settings` and `entity_history`. */
export function createEntityReader(sql: Sql) {
  // An entity can have one row without the other, or be in transactions alone.
  const states = (wanted: string) =>
    prepareLists(
      sql,
      ENTITY,
      `from (select ${wanted}) w left join entity e on e.id = wanted left join entity_settings s on s.id = wanted
       where e.id is not null or s.id is not null
         or exists (select 1 from account_tx where account_id = wanted)`,
    );
  const find = states('cast(? as bigint) as wanted');
  const findEach = states(`value as wanted from ${sql.dialect.each('given')}`);
  const former = prepareLists(
    sql,
    FORMER_ENTITY,
    `from entity_history s left join entity e on e.id = s.id
     where s.id = ? and s.lower_ts <= ? and s.upper_ts > ? order by s.lower_ts desc
     limit ?`,
  );
  const byAlias = prepareEntityByAlias(sql);
  return {
    /** Null when the ledger never named it; one that is only in transfers has a state of nulls. */
    find: sql.reading(function* (id: bigint) {
      const found = yield* find.find(id);
      return found === null ? null : withExpiry(found);
    }),
    /** The same of each; those that the ledger never named are left out. */
    async findEach(ids: readonly bigint[]) {
      if (ids.length === 0) return new Map();
      const found = await sql.read(() => findEach.all(sql.dialect.list(ids)));
      return new Map(found.map((each) => [each.id, withExpiry(each)]));
    },
    /**
     * The newest state that held at such a time; null when there was none. The balance of a former state is that at its
     * end.
     */
    findAt: sql.reading(function* (id: bigint, { excluded, lower, upper }: EntityTimes) {
      const found = yield* find.find(id);
      if (found === null) return null;
      const since = found.changedTimestamp ?? found.createdTimestamp ?? 0n;
      if (since <= upper && excluded.every((time) => time < since)) return withExpiry(found);
      // An excluded time is in one row.
      for (const each of yield* former.all(id, upper, lower, excluded.length + 1)) {
        const [from, end] = [each.changedTimestamp ?? 0n, each.heldUntil ?? 0n];
        if (excluded.every((time) => time < from || time >= end)) return withExpiry(each);
      }
      return null;
    }),
    /** The newest entity with this alias that is not known to be deleted: a serialized key or 20 bytes. */
    byAlias: sql.reading(function* (alias: Uint8Array) {
      return yield* byAlias(alias);
    }),
  };
}

/** What no update set ends a renewal period after the creation, whatever the period is by now. */
function withExpiry(entity: EntityState): EntityState {
  const { autoRenewPeriod: period, createdTimestamp: created, expiryTimestamp: told } = entity;
  if (told !== null || period === null || created === null) return entity;
  const end = created + period * NANOS_PER_SECOND;
  return { ...entity, expiryTimestamp: end > MAX_CONSENSUS_TIMESTAMP ? MAX_CONSENSUS_TIMESTAMP : end };
}
