import type { Sql, SqlList } from '../../storage/sql/sql.ts';
import { type AccountWalk, type WalkRow, type WalkSteps, walkAccounts } from '../balances/account-walk.ts';
import { prepareFewAccounts } from '../balances/few-accounts.sql.ts';
import type { PublicKeyFilter } from '../parameters/public-key-filter.ts';

/** Those of the index `entity_accounts`. */
const IS_ACCOUNT = "(e.type is null or e.type in ('ACCOUNT', 'CONTRACT'))";
/** One look for each account: no engine walks the keys of others for it. */
const KEY_OF_ACCOUNT = '(select k.public_key from entity_settings k where k.id = e.id)';

/** Finds accounts and contracts, deleted ones too. */
export type AccountPages = ReturnType<typeof createAccountPages>;

/** Reads the table `entity` along its accounts. */
export function createAccountPages(sql: Sql) {
  const { indexedBy, isListed, list } = sql.dialect;
  const accounts = `entity e ${indexedBy('entity_accounts')} where`;
  /** Where the walk finds accounts in order, and what it knows of their keys. */
  const ways = {
    plain: { id: 'e.id', key: 'null', from: accounts },
    keyed: { id: 'e.id', key: KEY_OF_ACCOUNT, from: accounts },
    oneKey: {
      id: 'k.id',
      key: 'k.public_key',
      // Both tables have the bounds, lest PostgreSQL merges them from the first account on.
      from: `entity_settings k cross join entity e
        where e.id = k.id and k.public_key = ? and e.id between ? and ? and`,
    },
  } as const;
  const inOrder = (way: keyof typeof ways, order: 'asc' | 'desc') => {
    const { from, id, key } = ways[way];
    return sql.prepareExact<unknown[], WalkRow>(
      `select e.id, e.balance, ${key} as "key" from ${from} ${IS_ACCOUNT} and ${id} between ? and ?
       order by ${id} ${order} limit ?`,
    );
  };
  const both = (way: keyof typeof ways) => ({ asc: inOrder(way, 'asc'), desc: inOrder(way, 'desc') });
  const ranges = { plain: both('plain'), keyed: both('keyed'), oneKey: both('oneKey') };
  const ofList = (key: string) =>
    sql.prepareExact<[SqlList], WalkRow>(
      `select e.id, e.balance, ${key} as "key" from entity e where ${isListed('e.id')} and ${IS_ACCOUNT}`,
    );
  const lists = { plain: ofList('null'), keyed: ofList(KEY_OF_ACCOUNT) };
  const few = prepareFewAccounts(sql);

  /** The cheapest way through the accounts that still knows what the conditions ask for. */
  const stepsOf = (keys: PublicKeyFilter | null, order: 'asc' | 'desc'): WalkSteps<WalkRow> => {
    const way = keys === null ? 'plain' : 'keyed';
    const listed = (ids: readonly bigint[]) => lists[way].all(list(ids));
    if (keys?.kind === 'one') {
      const key = Buffer.from(keys.key, 'hex');
      return {
        ...few,
        listed,
        range: (lower, upper, count) => ranges.oneKey[order].all(key, lower, upper, lower, upper, count),
      };
    }
    return { ...few, listed, range: (...range) => ranges[way][order].all(...range) };
  };

  return {
    /** Their ids in order. */
    async page(walk: AccountWalk) {
      const rows = await sql.read(() => walkAccounts(walk, stepsOf(walk.keys, walk.order)));
      return rows.map(({ id }) => id);
    },
  };
}
