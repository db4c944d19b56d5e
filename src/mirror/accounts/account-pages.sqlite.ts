import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { type WalkRow, type WalkStep, walkAccounts } from '../balances/account-walk.ts';
import { prepareFewAccounts } from '../balances/accounts-of-keys.sqlite.ts';
import type { PublicKeyFilter } from '../parameters/public-key-filter.ts';
import type { AccountPages } from './account-pages.ts';

/** Those of the index `entity_accounts`. */
const IS_ACCOUNT = "(e.type is null or e.type in ('ACCOUNT', 'CONTRACT'))";
/** Where the walk finds accounts in order, and what it knows of their keys. */
const ACCOUNTS = {
  plain: { id: 'e.id', key: 'null', from: 'entity e indexed by entity_accounts where' },
  keyed: {
    id: 'e.id',
    key: 'k.public_key',
    from: 'entity e indexed by entity_accounts left join entity_settings k on k.id = e.id where',
  },
  oneKey: {
    id: 'k.id',
    key: 'k.public_key',
    from: 'entity_settings k cross join entity e on e.id = k.id where k.public_key = ? and',
  },
} as const;

/** Reads the table `entity` along its accounts. */
export function createSqliteAccountPages(database: SqliteDatabase): AccountPages {
  const prepare = (accounts: keyof typeof ACCOUNTS, order: 'asc' | 'desc') => {
    const { from, id, key } = ACCOUNTS[accounts];
    return database
      .prepare<unknown[], WalkRow>(
        `select e.id, e.balance, ${key} as "key" from ${from} ${IS_ACCOUNT} and ${id} between ? and ?
         order by ${id} ${order} limit ?`,
      )
      .safeIntegers(true);
  };
  const both = (accounts: keyof typeof ACCOUNTS) => ({
    asc: prepare(accounts, 'asc'),
    desc: prepare(accounts, 'desc'),
  });
  const statements = { plain: both('plain'), keyed: both('keyed'), oneKey: both('oneKey') };
  const fewAccountsOf = prepareFewAccounts(database);

  /** The cheapest way through the accounts that still knows what the conditions ask for. */
  const stepOf = (keys: PublicKeyFilter | null, order: 'asc' | 'desc'): WalkStep<WalkRow> => {
    if (keys?.kind === 'one') {
      const key = Buffer.from(keys.key, 'hex');
      return (lower, upper, count) => statements.oneKey[order].all(key, lower, upper, count);
    }
    const statement = statements[keys === null ? 'plain' : 'keyed'][order];
    return (lower, upper, count) => statement.all(lower, upper, count);
  };

  return {
    async page(walk) {
      const rows = await walkAccounts(walk, stepOf(walk.keys, walk.order), fewAccountsOf(walk.keys));
      return rows.map(({ id }) => id);
    },
  };
}
