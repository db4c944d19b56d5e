import { flag, int64, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import type { FreezeStatus, KycStatus } from '../ledger/rows.ts';
import type { AndedIntegers } from '../parameters/anded-integers.ts';
import type { PageRange } from '../parameters/page-parameters.ts';
import type { PublicKeyFilter } from '../parameters/public-key-filter.ts';

/** By the numbers in which they are stored. */
const FREEZE: readonly FreezeStatus[] = ['NOT_APPLICABLE', 'FROZEN', 'UNFROZEN'];
const KYC: readonly KycStatus[] = ['NOT_APPLICABLE', 'GRANTED', 'REVOKED'];
/** Selects that of the relation, else that of the token. */
const status = (column: string, names: readonly string[]) => {
  const cases = names.map((name, stored) => `when ${stored} then '${name}'`);
  return `case r.${column} ${cases.join(' ')} else t.${column} end as ${column}`;
};

/** A token that an account holds, or held; null is what the ledger does not tell. */
export const RELATION_ROW = rowTable({
  token: int64('r.token_id'),
  /** Smallest units, or the number of NFTs. */
  balance: int64<bigint | null>('r.balance'),
  createdTimestamp: int64<bigint | null>('r.created_ts'),
  isAssociated: flag('coalesce(r.associated, 1) as associated'),
  isAutomatic: flag<boolean | null>('r.automatic'),
  decimals: int64<bigint | null>('t.decimals'),
  freezeStatus: text<FreezeStatus | null>(status('freeze_status', FREEZE)),
  kycStatus: text<KycStatus | null>(status('kyc_status', KYC)),
});
export type AccountRelation = RecordOf<typeof RELATION_ROW>;

/** An account that has a token. */
export interface Holder {
  readonly account: bigint;
  /** Null while it is unknown, and where the account gave the token up. */
  readonly balance: bigint | null;
  /** When the balance changed; null where nothing tells. */
  readonly at: bigint | null;
}

/** The read side of relations between accounts and tokens, as they are now. */
export interface RelationRepository {
  /** The tokens that an account holds. */
  ofAccount(account: bigint, range: PageRange): Promise<readonly AccountRelation[]>;
  /** The accounts that ever had a token: as many as the limit while there are more, also those without a balance. */
  holders(token: bigint, range: PageRange): Promise<readonly Holder[]>;
  /** The same of a list of accounts, in any order. */
  holdersAmong(token: bigint, accounts: readonly bigint[]): Promise<readonly Holder[]>;
  /** The accounts between such balances of a token, in no order; null when they are many. */
  holdersWith(token: bigint, balance: AndedIntegers): Promise<readonly bigint[] | null>;
  /** Null for an unknown token. */
  decimalsOf(token: bigint): Promise<bigint | null>;
  /** The accounts that have such a key now, in no order; null when they are many. Contracts are left out. */
  accountsWith(keys: PublicKeyFilter): Promise<readonly bigint[] | null>;
  /** The public keys of those of the accounts that have one; contracts are left out. */
  keysOf(accounts: readonly bigint[]): Promise<ReadonlyMap<bigint, string>>;
}
