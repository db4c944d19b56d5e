import { setImmediate } from 'node:timers/promises';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { bareHex } from '../../values/hex.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { AccountFilter } from '../parameters/account-filter.ts';
import { type IntegerSelection, selects } from '../parameters/integer-range.ts';
import { type PublicKeyFilter, selectsKey } from '../parameters/public-key-filter.ts';
import type { AccountBalance, BalanceSelection } from './balance-repository.ts';

interface WalkRow {
  readonly id: bigint;
  readonly balance: bigint | null;
  /** Null when no condition asks for it. */
  readonly key: Buffer | null;
}

interface KeyRow {
  readonly id: bigint;
  readonly key: Buffer;
}

type AccountRange = Extract<AccountFilter, { kind: 'range' }>;
type Step = (lower: bigint, upper: bigint, count: number) => readonly WalkRow[];

/** Accounts that are looked at before other requests get a turn. */
const LONGEST_STEP = 2000;
const ALL_ACCOUNTS: AccountRange = { kind: 'range', lower: MIN_INT64, upper: MAX_INT64, excluded: [] };

/** Where the walk finds accounts in order, and what it knows of their keys. */
const ACCOUNTS = {
  plain: { key: 'null', from: 'entity e where' },
  keyed: { key: 'k.public_key', from: 'entity e left join entity_settings k on k.id = e.id where' },
  oneKey: {
    key: 'k.public_key',
    from: 'entity_settings k cross join entity e on e.id = k.id where k.public_key = ? and',
  },
} as const;
const BALANCE = {
  now: 'e.balance',
  snapshot: `(select s.balance from balance_snapshot s where s.account_id = e.id and s.consensus_ts <= ?
    order by s.consensus_ts desc limit 1)`,
} as const;

/** Finds the accounts of a page and their known balances, at the newest state or at the time of a snapshot. */
export function createBalancePages(
  database: SqliteDatabase,
): (selection: BalanceSelection, time: bigint | null) => Promise<readonly AccountBalance[]> {
  const prepare = (accounts: keyof typeof ACCOUNTS, balance: keyof typeof BALANCE) => {
    const { from, key } = ACCOUNTS[accounts];
    const id = accounts === 'oneKey' ? 'k.id' : 'e.id';
    const inOrder = (order: 'asc' | 'desc') =>
      database
        .prepare<unknown[], WalkRow>(
          `select e.id, ${BALANCE[balance]} as balance, ${key} as "key" from ${from} ${id} between ? and ?
           order by ${id} ${order} limit ?`,
        )
        .safeIntegers(true);
    return { asc: inOrder('asc'), desc: inOrder('desc') };
  };
  const both = (accounts: keyof typeof ACCOUNTS) => ({
    now: prepare(accounts, 'now'),
    snapshot: prepare(accounts, 'snapshot'),
  });
  const statements = { plain: both('plain'), keyed: both('keyed'), oneKey: both('oneKey') };
  const idsOfKeys = database
    .prepare<[Buffer, Buffer, number], KeyRow>(
      `select id, public_key as "key" from entity_settings where public_key >= ? and public_key < ? limit ?`,
    )
    .safeIntegers(true);

  /** The cheapest way through the accounts that still knows what the conditions ask for. */
  const stepOf = (keys: PublicKeyFilter | null, order: 'asc' | 'desc', time: bigint | null): Step => {
    const accounts = keys === null ? 'plain' : keys.kind === 'one' ? 'oneKey' : 'keyed';
    const statement = statements[accounts][time === null ? 'now' : 'snapshot'][order];
    const first: unknown[] = time === null ? [] : [time];
    if (keys?.kind === 'one') first.push(Buffer.from(keys.key, 'hex'));
    return (lower, upper, count) => statement.all(...first, lower, upper, count);
  };

  /** The accounts of a range of keys, unless they are many: then a walk by account meets them soon. */
  const fewAccountsOf = (keys: PublicKeyFilter | null): readonly bigint[] | null => {
    if (keys?.kind !== 'range') return null;
    const bound = (key: string) => Buffer.from(key, 'hex');
    const rows = idsOfKeys.all(bound(keys.lower), bound(keys.upper), LONGEST_STEP + 1);
    if (rows.length > LONGEST_STEP) return null;
    return rows.filter((row) => selectsKey(keys, bareHex(row.key))).map((row) => row.id);
  };

  async function walkRange(
    step: Step,
    { balance, keys, limit, order }: BalanceSelection,
    range: AccountRange,
  ): Promise<readonly AccountBalance[]> {
    const found: AccountBalance[] = [];
    let { lower, upper } = range;
    let count = limit;
    while (lower <= upper) {
      const rows = step(lower, upper, count);
      for (const row of rows) {
        if (range.excluded.includes(row.id) || !isWanted(row, balance, keys)) continue;
        found.push({ account: row.id, balance: row.balance });
        if (found.length === limit) return found;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < count) return found;
      if (order === 'asc') lower = last.id + 1n;
      else upper = last.id - 1n;
      count = LONGEST_STEP;
      await setImmediate();
    }
    return found;
  }

  return async (selection, time) => {
    const { balance, keys, limit, order } = selection;
    const accounts = selection.accounts ?? ALL_ACCOUNTS;
    const step = stepOf(keys, order, time);
    const few = accounts.kind === 'set' ? accounts.ids : fewAccountsOf(keys);
    if (few === null && accounts.kind === 'range') return walkRange(step, selection, accounts);
    const found: AccountBalance[] = [];
    for (const id of inOrder(few ?? [], order)) {
      if (!isOf(accounts, id)) continue;
      const row = step(id, id, 1)[0];
      if (row !== undefined && isWanted(row, balance, keys))
        found.push({ account: id, balance: row.balance });
      if (found.length === limit) break;
    }
    return found;
  };
}

function isWanted(
  row: WalkRow,
  balance: IntegerSelection,
  keys: PublicKeyFilter | null,
): row is WalkRow & { readonly balance: bigint } {
  if (row.balance === null || !selects(balance, row.balance)) return false;
  return keys === null || (row.key !== null && selectsKey(keys, bareHex(row.key)));
}

function isOf(accounts: AccountFilter, id: bigint): boolean {
  if (accounts.kind === 'set') return accounts.ids.includes(id);
  return id >= accounts.lower && id <= accounts.upper && !accounts.excluded.includes(id);
}

function inOrder(ids: readonly bigint[], order: 'asc' | 'desc'): readonly bigint[] {
  return [...ids].sort((a, b) => (a < b === (order === 'asc') ? -1 : 1));
}
