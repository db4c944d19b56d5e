import type { Sql } from '../../../storage/sql/sql.ts';
import { entityId } from '../../../values/entity-id.ts';
import { prepareEntityByAddress } from '../../ledger/entity-by-address.sql.ts';
import { entityOfLongZero, type Home } from '../../vocabulary/long-zero-address.ts';
import type { AccountFacts, FeeStateSource, TokenFacts, TopicFacts } from './fee-state.ts';

const ADDRESS_BYTES = 20;
const MAIN_HOME: Home = { shard: 0n, realm: 0n };

/** Reads the state that imports keep at the newest. */
export function createFeeState(sql: Sql, home: Home = MAIN_HOME): FeeStateSource {
  const token = sql.prepare<[bigint], TokenFacts>(
    `select kind, coalesce((select fee_count from custom_fee where entity_id = token_id
       order by lower_ts desc limit 1), 0) as "customFeeCount"
     from token where token_id = ?`,
  );
  const topic = sql.prepare<[bigint], TopicFacts>(
    `select fixed_fee_count as "fixedFeeCount" from topic_state
     where topic_id = ? and fixed_fee_count is not null`,
  );
  // An account can have one row without the other, or be in transactions alone.
  const account = sql.prepareExact<[bigint], AccountFacts>(
    `select s.max_automatic_associations as "maxAutomaticAssociations"
     from (select cast(? as bigint) as wanted) w left join entity e on e.id = wanted left join entity_settings s on s.id = wanted
     where e.id is not null or s.id is not null
       or exists (select 1 from account_tx where account_id = wanted)`,
  );
  // A relation without the time of a balance may have ended in units that are missing.
  const holding = sql.prepare<[bigint, bigint], { readonly isHeld: number; readonly isCertain: number }>(
    `select coalesce(associated, case when balance_ts is not null then 1 else 0 end) as "isHeld",
       balance_ts is not null or (select forgotten_ts from ledger_state) is null as "isCertain"
     from token_balance where account_id = ? and token_id = ?`,
  );
  // Without a row there is no association where all of them were seen: since the token or the account began. What
  // began before balances were forgotten may have been associated in a part that was not seen.
  const sawAll = sql.prepareValue<[bigint, bigint], number>(
    `select 1 from ledger_state s where forgotten_ts is null and (balances_complete = 1
     or exists (select 1 from token where token_id = ?)
     or exists (select 1 from entity where id = ? and created_ts is not null))`,
  );
  const sawAllBehind = sql.prepareValue<[bigint], number>(
    'select 1 from ledger_state s join entity e on e.id = ? where e.created_ts > s.forgotten_ts',
  );
  const byAddress = prepareEntityByAddress(sql);
  return {
    token: sql.reading(function* (id) {
      return (yield* token.get(id)) ?? null;
    }),
    topic: sql.reading(function* (id) {
      return (yield* topic.get(id)) ?? null;
    }),
    account: sql.reading(function* (id) {
      return (yield* account.get(id)) ?? null;
    }),
    accountByAlias: sql.reading(function* (alias) {
      const known = yield* byAddress(alias);
      if (known !== null) return entityId(known);
      return alias.length === ADDRESS_BYTES ? entityOfLongZero(alias, home) : null;
    }),
    isAssociated: sql.reading(function* (accountId, tokenId) {
      const row = yield* holding.get(accountId, tokenId);
      if (row !== undefined) return row.isCertain === 1 ? row.isHeld === 1 : null;
      const isSeen = (yield* sawAll.get(tokenId, accountId)) ?? (yield* sawAllBehind.get(accountId));
      return isSeen === undefined ? null : false;
    }),
  };
}
