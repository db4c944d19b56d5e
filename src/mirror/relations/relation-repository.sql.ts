import { prepareSelect, type Sql, type SqlList } from '../../storage/sql/sql.ts';
import { bareHex } from '../../values/hex.ts';
import { flag, int64, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import { MAX_WITH_BALANCES } from '../balances/few-accounts.sql.ts';
import { FREEZE_STATUSES, KYC_STATUSES } from '../ledger/facets/relations.ts';
import type { FreezeStatus, KycStatus } from '../ledger/rows.ts';
import type { AndedIntegers } from '../parameters/anded-integers.ts';
import { MAX_STEP, rangeOf, walkKeys } from '../parameters/ordered-range.ts';
import type { PageRange } from '../parameters/page-parameters.ts';
import { type PublicKeyFilter, selectsKey } from '../parameters/public-key-filter.ts';

/** Selects that of the relation, else that of the token. */
const status = (column: string, names: readonly string[]) => {
  const cases = names.map((name, stored) => `when ${stored} then '${name}'`);
  return `case r.${column} ${cases.join(' ')} else t.${column} end as ${column}`;
};

/** A token that an account holds, or held; null is what the ledger does not tell. */
const RELATION_ROW = rowTable({
  token: int64('r.token_id'),
  /** Smallest units, or the number of NFTs. */
  balance: int64<bigint | null>('r.balance'),
  createdTimestamp: int64<bigint | null>('r.created_ts'),
  isAssociated: flag('coalesce(r.associated, 1) as associated'),
  isAutomatic: flag<boolean | null>('r.automatic'),
  decimals: int64<bigint | null>('t.decimals'),
  freezeStatus: text<FreezeStatus | null>(status('freeze_status', FREEZE_STATUSES)),
  kycStatus: text<KycStatus | null>(status('kyc_status', KYC_STATUSES)),
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

interface KeyRow {
  readonly id: bigint;
  readonly key: Buffer;
}

/** Everything but contracts: what is known from transfers alone counts as an account. */
const IS_ACCOUNT = `(select e.type from entity e where e.id = s.id) is distinct from 'CONTRACT'`;

/** The read side of relations between accounts and tokens, as they are now. */
export type RelationRepository = ReturnType<typeof createRelationRepository>;

/** Reads the table `token_balance`, and of its accounts and tokens what the lists show. */
export function createRelationRepository(sql: Sql) {
  const { each, isListed, list } = sql.dialect;
  const holder = `select account_id as account, case when associated = 0 then null else balance end as balance,
    balance_ts as at from`;
  const inOrder = (order: PageRange['order']) => ({
    relations: prepareSelect(
      sql,
      RELATION_ROW,
      `from token_balance r left join token t on t.token_id = r.token_id
       where r.account_id = ? and r.token_id between ? and ? order by r.token_id ${order} limit ?`,
    ),
    holders: sql.prepareExact<[bigint, bigint, bigint, number], Holder>(
      `${holder} token_balance where token_id = ? and account_id between ? and ?
       order by account_id ${order} limit ?`,
    ),
  });
  const statements = { asc: inOrder('asc'), desc: inOrder('desc') };
  const holdersOfList = sql.prepareExact<[SqlList, bigint], Holder>(
    // A token that depends on the account: PostgreSQL would else walk all holders of the token.
    `${holder} ${each('wanted')} cross join token_balance
       where account_id = wanted.value and token_id = cast(? as bigint) + 0 * wanted.value`,
  );
  const holdersOfBalances = sql.prepareExactValue<[bigint, bigint, bigint, number], bigint>(
    `select account_id from token_balance where token_id = ? and balance >= ? and balance <= ? limit ?`,
  );
  const decimals = sql.prepareExactValue<[bigint], bigint | null>(
    'select decimals from token where token_id = ?',
  );
  const withKeys = sql.prepareExact<[Buffer, Buffer, number], KeyRow>(
    `select s.id, s.public_key as "key" from entity_settings s
     where s.public_key >= ? and s.public_key < ? and ${IS_ACCOUNT} order by s.public_key limit ?`,
  );
  const keys = sql.prepareExact<[SqlList], KeyRow>(
    `select s.id, s.public_key as "key" from entity_settings s
     where ${isListed('s.id')} and s.public_key is not null and ${IS_ACCOUNT}`,
  );

  return {
    /** The tokens that an account holds. */
    ofAccount: sql.reading(function* (account: bigint, { limit, lower, order, upper }: PageRange) {
      return yield* walkKeys<AccountRelation>(rangeOf({ lower, upper }), {
        order,
        limit,
        keyOf: ({ token }) => [token],
        // Others were given up.
        isWanted: ({ isAssociated }) => isAssociated,
        read: ({ lower, upper }, count) =>
          statements[order].relations.all(account, ...lower, ...upper, count),
      });
    }),
    /** The accounts that ever had a token: as many as the limit while there are more, also those without a balance. */
    async holders(token: bigint, { limit, lower, order, upper }: PageRange) {
      return sql.read(() => statements[order].holders.all(token, lower, upper, limit));
    },
    /** The same of a list of accounts, in any order. */
    async holdersAmong(token: bigint, accounts: readonly bigint[]) {
      return sql.read(() => holdersOfList.all(list(accounts), token));
    },
    /** The accounts between such balances of a token, in no order; null when they are many. */
    async holdersWith(token: bigint, { lower, upper }: AndedIntegers) {
      const found = await sql.read(() => holdersOfBalances.all(token, lower, upper, MAX_WITH_BALANCES + 1));
      return found.length > MAX_WITH_BALANCES ? null : found;
    },
    /** Null for an unknown token. */
    async decimalsOf(token: bigint) {
      return (await sql.read(() => decimals.get(token))) ?? null;
    },
    /** The accounts that have such a key now, in no order; null when they are many. Contracts are left out. */
    async accountsWith(filter: PublicKeyFilter) {
      const bounds = filter.kind === 'one' ? [filter.key, `${filter.key}00`] : [filter.lower, filter.upper];
      const [lower, upper] = bounds.map((bound) => Buffer.from(bound, 'hex')) as [Buffer, Buffer];
      const rows = await sql.read(() => withKeys.all(lower, upper, MAX_STEP + 1));
      if (rows.length > MAX_STEP) return null;
      return rows.filter(({ key }) => selectsKey(filter, bareHex(key))).map(({ id }) => id);
    },
    /** The public keys of those of the accounts that have one; contracts are left out. */
    async keysOf(accounts: readonly bigint[]) {
      const rows = await sql.read(() => keys.all(list(accounts)));
      return new Map(rows.map(({ id, key }) => [id, key]));
    },
  };
}
