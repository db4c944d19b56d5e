import { bytes, flag, int64, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import { deletedOf } from '../ledger/entity-reader.ts';
import { ofTokenKeys } from '../ledger/facets/token-keys.ts';
import type { TokenKind } from '../ledger/facets/tokens.ts';
import type { IntegerSelection } from '../parameters/integer-range.ts';
import type { PageRequest } from '../parameters/page-parameters.ts';
import type { PublicKeyFilter } from '../parameters/public-key-filter.ts';

/** A token as lists show it, with what they are searched by. The statement takes whose token it may be first. */
export const LISTED_TOKEN = rowTable({
  token: int64('t.token_id'),
  kind: text<TokenKind>('t.kind'),
  name: text('t.name'),
  /** In one letter case. */
  foldedName: text('t.folded_name'),
  symbol: text('t.symbol'),
  decimals: int64('t.decimals'),
  metadata: bytes<Uint8Array | null>('t.metadata'),
  /** Serialized `Key`. */
  adminKey: bytes<Uint8Array | null>('s.key'),
  publicKey: bytes<Uint8Array | null>('s.public_key'),
  /** Null where the account never had it. */
  isHeld: flag<boolean | null>(
    `(select coalesce(r.associated, case when r.balance_ts is null then 0 else 1 end) from token_balance r
      where r.account_id = cast(? as bigint) and r.token_id = t.token_id) as is_held`,
  ),
});
export type ListedToken = RecordOf<typeof LISTED_TOKEN>;

/** Which tokens a page shows; all conditions apply. */
export interface TokenSelection extends PageRequest {
  readonly ids: IntegerSelection;
  /** Who is associated with the token; null for anyone. */
  readonly account: bigint | null;
  /** Null for both. */
  readonly kind: TokenKind | null;
  /** Of the admin key; null for any. */
  readonly keys: PublicKeyFilter | null;
  /** Parts of the name in one letter case. */
  readonly names: readonly string[];
}

/** A token by itself; null is what the ledger did not tell. Keys are serialized. */
export const TOKEN = rowTable({
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
export const tokenEntity = (since: string, created: string) =>
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
export const CUSTOM_FEES = rowTable({
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
