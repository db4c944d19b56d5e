import type { Sql } from '../../storage/sql/sql.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import type { Work } from '../../values/work.ts';
import type { TokenKind } from '../ledger/facets/tokens.ts';
import { createTokenPages } from './token-pages.sql.ts';
import type { CustomFeeLists, TokenEntity, TokenRepository, TokenState } from './token-repository.ts';

interface TokenRow {
  readonly token_id: bigint;
  readonly kind: string;
  readonly lower_ts: bigint;
  readonly created_ts: bigint | null;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: bigint;
  readonly initial_supply: bigint;
  readonly max_supply: bigint;
  readonly total_supply: bigint;
  readonly supply_type: string;
  readonly freeze_default: bigint;
  readonly pause_status: string;
  readonly treasury: bigint | null;
  readonly metadata: Buffer | null;
  readonly fee_schedule_key: Buffer | null;
  readonly freeze_key: Buffer | null;
  readonly kyc_key: Buffer | null;
  readonly metadata_key: Buffer | null;
  readonly pause_key: Buffer | null;
  readonly supply_key: Buffer | null;
  readonly wipe_key: Buffer | null;
}

interface EntityRow {
  readonly lower_ts: bigint;
  readonly created_ts: bigint | null;
  readonly key: Buffer | null;
  readonly memo: string | null;
  readonly auto_renew_account: bigint | null;
  readonly auto_renew_period: bigint | null;
  readonly expiry_ts: bigint | null;
  readonly deleted: bigint | null;
}

interface FeeRow {
  readonly lower_ts: bigint;
  readonly fixed_fees: string;
  readonly fractional_fees: string;
  readonly royalty_fees: string;
}

const COLUMNS = `token_id, kind, lower_ts, created_ts, name, symbol, decimals, initial_supply, max_supply, total_supply,
  supply_type, freeze_default, pause_status, treasury, metadata, fee_schedule_key, freeze_key, kyc_key, metadata_key,
  pause_key, supply_key, wipe_key`;
const SETTINGS = 'key, memo, auto_renew_account, auto_renew_period, expiry_ts, deleted';

/** Reads the tables `token`, `token_history` and `custom_fee`, and the entities of tokens. */
export function createTokenRepository(sql: Sql): TokenRepository {
  const current = sql.prepareExact<[bigint, bigint], TokenRow>(
    `select ${COLUMNS} from token where token_id = ? and lower_ts <= ?`,
  );
  const past = sql.prepareExact<[bigint, bigint], TokenRow>(
    `select ${COLUMNS} from token_history where token_id = ? and lower_ts <= ? order by lower_ts desc limit 1`,
  );
  const entity = sql.prepareExact<[bigint], EntityRow>(
    `select coalesce(s.changed_ts, e.created_ts, 0) as lower_ts, e.created_ts, ${SETTINGS}
     from (select cast(? as bigint) as id) as wanted left join entity e on e.id = wanted.id
       left join entity_settings s on s.id = wanted.id
     where e.id is not null or s.id is not null`,
  );
  const pastEntity = sql.prepareExact<[bigint, bigint], EntityRow>(
    `select lower_ts, lower_ts as created_ts, ${SETTINGS} from entity_history where id = ? and lower_ts <= ?
     order by lower_ts desc limit 1`,
  );
  const feesBefore = sql.prepareExact<[bigint, bigint], FeeRow>(
    `select lower_ts, fixed_fees, fractional_fees, royalty_fees from custom_fee where entity_id = ? and lower_ts <= ?
     order by lower_ts desc limit 1`,
  );
  const pages = createTokenPages(sql);

  function* entityAt(id: bigint, at: bigint | null): Work<EntityRow | undefined> {
    const row = yield* entity.get(id);
    return row === undefined || at === null || row.lower_ts <= at ? row : yield* pastEntity.get(id, at);
  }

  function* find(id: bigint, at: bigint | null): Work<TokenState | null> {
    const before = at ?? MAX_INT64;
    const row = (yield* current.get(id, before)) ?? (at === null ? undefined : yield* past.get(id, at));
    if (row === undefined) return null;
    const settings = yield* entityAt(id, at);
    const fees = yield* feesBefore.get(id, before);
    if (settings === undefined || (at !== null && fees === undefined)) return null;
    return tokenState(row, settings, fees);
  }

  return {
    page: pages,
    find: async (id, at) => sql.readTogether(() => find(id, at)),
  };
}

function tokenState(row: TokenRow, settings: EntityRow, fees: FeeRow | undefined): TokenState {
  return {
    token: row.token_id,
    kind: row.kind as TokenKind,
    changedTimestamp: row.lower_ts,
    createdTimestamp: row.created_ts,
    name: row.name,
    symbol: row.symbol,
    decimals: row.decimals,
    initialSupply: row.initial_supply,
    maxSupply: row.max_supply,
    totalSupply: row.total_supply,
    supplyType: row.supply_type,
    freezeDefault: row.freeze_default === 1n,
    pauseStatus: row.pause_status,
    treasury: row.treasury,
    metadata: row.metadata,
    feeScheduleKey: row.fee_schedule_key,
    freezeKey: row.freeze_key,
    kycKey: row.kyc_key,
    metadataKey: row.metadata_key,
    pauseKey: row.pause_key,
    supplyKey: row.supply_key,
    wipeKey: row.wipe_key,
    entity: tokenEntity(settings),
    fees: fees === undefined ? null : feeLists(fees),
  };
}

function tokenEntity(row: EntityRow): TokenEntity {
  return {
    changedTimestamp: row.lower_ts,
    adminKey: row.key,
    memo: row.memo,
    autoRenewAccount: row.auto_renew_account,
    autoRenewPeriod: row.auto_renew_period,
    expiryTimestamp: row.expiry_ts,
    // What was created here and not deleted is there.
    isDeleted: row.deleted === null ? (row.created_ts === null ? null : false) : row.deleted === 1n,
  };
}

function feeLists({ lower_ts: since, ...fees }: FeeRow): CustomFeeLists {
  return { since, fixed: fees.fixed_fees, fractional: fees.fractional_fees, royalty: fees.royalty_fees };
}
