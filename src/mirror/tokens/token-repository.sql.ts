import { prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { bytes, flag, int64, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import type { Work } from '../../values/work.ts';
import { deletedOf } from '../ledger/entity-reader.sql.ts';
import { ofTokenKeys } from '../ledger/facets/token-keys.ts';
import type { TokenKind } from '../ledger/facets/tokens.ts';
import { createTokenPages } from './token-pages.sql.ts';

/** A token by itself; null is what the ledger did not tell. Keys are serialized. */
const TOKEN = rowTable({
  token: int64('token_id'),
  kind: text<TokenKind>('kind'),
  /** Since when the token is so. */
  changedTimestamp: int64('lower_ts'),
  createdTimestamp: int64<bigint | null>('created_ts'),
  name: text('name'),
  symbol: text('symbol'),
  decimals: int64('decimals'),
  initialSupply: int64('initial_supply'),
  maxSupply: int64('max_supply'),
  totalSupply: int64('total_supply'),
  supplyType: text('supply_type'),
  freezeDefault: flag('freeze_default'),
  pauseStatus: text('pause_status'),
  treasury: int64<bigint | null>('treasury'),
  metadata: bytes<Uint8Array | null>('metadata'),
  ...ofTokenKeys(({ column }) => bytes<Uint8Array | null>(column)),
});

/** What a token has in common with other entities. @param since selects since when it is so @param created selects when it was created */
const tokenEntity = (since: string, created: string) =>
  rowTable({
    changedTimestamp: int64(`${since} as changed_ts`),
    adminKey: bytes<Uint8Array | null>('key'),
    memo: text<string | null>('memo'),
    autoRenewAccount: int64<bigint | null>('auto_renew_account'),
    /** Seconds. */
    autoRenewPeriod: int64<bigint | null>('auto_renew_period'),
    expiryTimestamp: int64<bigint | null>('expiry_ts'),
    isDeleted: flag<boolean | null>(deletedOf('deleted', created)),
  });

/** Custom fees as JSON lists. */
const CUSTOM_FEES = rowTable({
  since: int64('lower_ts'),
  fixed: text('fixed_fees'),
  fractional: text('fractional_fees'),
  royalty: text('royalty_fees'),
});

/** A token with its entity and its fees. */
export interface TokenState extends RecordOf<typeof TOKEN> {
  readonly entity: RecordOf<ReturnType<typeof tokenEntity>>;
  readonly fees: RecordOf<typeof CUSTOM_FEES> | null;
}

/** The read side of tokens. */
export type TokenRepository = ReturnType<typeof createTokenRepository>;

/** Reads the tables `token`, `token_history` and `custom_fee`, and the entities of tokens. */
export function createTokenRepository(sql: Sql) {
  const newestBefore = 'lower_ts <= ? order by lower_ts desc limit 1';
  const current = prepareSelect(sql, TOKEN, 'from token where token_id = ? and lower_ts <= ?');
  const past = prepareSelect(sql, TOKEN, `from token_history where token_id = ? and ${newestBefore}`);
  const entity = prepareSelect(
    sql,
    tokenEntity('coalesce(s.changed_ts, e.created_ts, 0)', 'e.created_ts'),
    `from (select cast(? as bigint) as id) as wanted left join entity e on e.id = wanted.id
       left join entity_settings s on s.id = wanted.id
     where e.id is not null or s.id is not null`,
  );
  const pastEntity = prepareSelect(
    sql,
    tokenEntity('lower_ts', 'lower_ts'),
    `from entity_history where id = ? and ${newestBefore}`,
  );
  const feesBefore = prepareSelect(
    sql,
    CUSTOM_FEES,
    `from custom_fee where entity_id = ? and ${newestBefore}`,
  );
  const pages = createTokenPages(sql);

  function* entityAt(id: bigint, at: bigint | null): Work<TokenState['entity'] | null> {
    const now = yield* entity.find(id);
    return now === null || at === null || now.changedTimestamp <= at ? now : yield* pastEntity.find(id, at);
  }

  function* find(id: bigint, at: bigint | null): Work<TokenState | null> {
    const before = at ?? MAX_INT64;
    const token = (yield* current.find(id, before)) ?? (at === null ? null : yield* past.find(id, at));
    if (token === null) return null;
    const shared = yield* entityAt(id, at);
    const fees = yield* feesBefore.find(id, before);
    if (shared === null || (at !== null && fees === null)) return null;
    return { ...token, entity: shared, fees };
  }

  return {
    /** In the order of their numbers. */
    page: pages,
    /**
     * @param at the token, its entity and its fees as they were at this time; null as they are.
     * @returns null where the token or its entity is not known, and where the fees were not yet known at the time.
     */
    find: async (id: bigint, at: bigint | null) => sql.readTogether(() => find(id, at)),
  };
}
