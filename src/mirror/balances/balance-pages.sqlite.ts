import { setImmediate } from 'node:timers/promises';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { bareHex } from '../../values/hex.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { AccountFilter } from '../parameters/account-filter.ts';
import { type AndedIntegers, meetsAll } from '../parameters/anded-integers.ts';
import { type PublicKeyFilter, selectsKey } from '../parameters/public-key-filter.ts';
import type { AccountBalance, BalanceSelection } from './balance-repository.ts';
import { BALANCE_AT, eachOnce } from './balance-snapshots.sqlite.ts';
import type { Snapshot } from './balance-snapshots.ts';

interface WalkRow {
  readonly id: bigint;
  readonly balance: bigint | null;
  /** Null at the time of a snapshot. */
  readonly at: bigint | null;
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

const IS_ACCOUNT = "(e.type is null or e.type in ('ACCOUNT', 'CONTRACT'))";
const SETTINGS = 'left join entity_settings k on k.id';
const RANGE = 'between :lower and :upper';

/** The accounts in order as they are now, by what is asked of their keys. */
function statementsNow(order: 'asc' | 'desc') {
  const of = (key: string, from: string, id: string) =>
    `select ${id}, e.balance, e.balance_ts as "at", ${key} as "key" from ${from} ${id} ${RANGE} and ${IS_ACCOUNT}
     order by ${id} ${order} limit :count`;
  return {
    plain: of('null', 'entity e where', 'e.id'),
    keyed: of('k.public_key', `entity e ${SETTINGS} = e.id where`, 'e.id'),
    oneKey: of(
      'k.public_key',
      'entity_settings k cross join entity e on e.id = k.id where k.public_key = :key and',
      'k.id',
    ),
  };
}

/** The same as they were: those that any snapshot has. */
function statementsAt(order: 'asc' | 'desc') {
  const each = eachOnce('account_id', 'balance_snapshot where', order);
  const of = (key: string, from: string, id: string) =>
    `select ${id}, ${BALANCE_AT.hbar(id)} as balance, null as "at", ${key} as "key" from ${from}`;
  return {
    plain: `${each} ${of('null', 'each where each.id is not null', 'each.id')}`,
    keyed: `${each} ${of('k.public_key', `each ${SETTINGS} = each.id where each.id is not null`, 'each.id')}`,
    oneKey: `${of('k.public_key', 'entity_settings k', 'k.id')} where k.public_key = :key and k.id ${RANGE}
     order by k.id ${order} limit :count`,
  };
}

/** Finds the accounts of a page and their known balances, at the newest state or at the time of a snapshot. */
export function createBalancePages(
  database: SqliteDatabase,
): (selection: BalanceSelection, snapshot: Snapshot | null) => Promise<readonly AccountBalance[]> {
  const prepared = (texts: ReturnType<typeof statementsNow>) => {
    const prepare = (text: string) => database.prepare<[object], WalkRow>(text).safeIntegers(true);
    return { plain: prepare(texts.plain), keyed: prepare(texts.keyed), oneKey: prepare(texts.oneKey) };
  };
  const statements = {
    now: { asc: prepared(statementsNow('asc')), desc: prepared(statementsNow('desc')) },
    at: { asc: prepared(statementsAt('asc')), desc: prepared(statementsAt('desc')) },
  };
  const idsOfKeys = database
    .prepare<[Buffer, Buffer, number], KeyRow>(
      `select id, public_key as "key" from entity_settings where public_key >= ? and public_key < ? limit ?`,
    )
    .safeIntegers(true);

  /** The cheapest way through the accounts that still knows what the conditions ask for. */
  const stepOf = (keys: PublicKeyFilter | null, order: 'asc' | 'desc', snapshot: Snapshot | null): Step => {
    const accounts = keys === null ? 'plain' : keys.kind === 'one' ? 'oneKey' : 'keyed';
    const statement = statements[snapshot === null ? 'now' : 'at'][order][accounts];
    const fixed = {
      ...(snapshot === null ? {} : { at: snapshot.at, since: snapshot.since }),
      ...(keys?.kind === 'one' ? { key: Buffer.from(keys.key, 'hex') } : {}),
    };
    return (lower, upper, count) => statement.all({ ...fixed, lower, upper, count });
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
        found.push({ account: row.id, balance: row.balance, at: row.at });
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

  return async (selection, snapshot) => {
    const { balance, keys, limit, order } = selection;
    const accounts = selection.accounts ?? ALL_ACCOUNTS;
    const step = stepOf(keys, order, snapshot);
    const few = accounts.kind === 'set' ? accounts.ids : fewAccountsOf(keys);
    if (few === null && accounts.kind === 'range') return walkRange(step, selection, accounts);
    const found: AccountBalance[] = [];
    for (const id of inOrder(few ?? [], order)) {
      if (!isOf(accounts, id)) continue;
      const row = step(id, id, 1)[0];
      if (row !== undefined && isWanted(row, balance, keys))
        found.push({ account: id, balance: row.balance, at: row.at });
      if (found.length === limit) break;
    }
    return found;
  };
}

function isWanted(
  row: WalkRow,
  balance: AndedIntegers,
  keys: PublicKeyFilter | null,
): row is WalkRow & { readonly balance: bigint } {
  if (row.balance === null || !meetsAll(balance, row.balance)) return false;
  return keys === null || (row.key !== null && selectsKey(keys, bareHex(row.key)));
}

function isOf(accounts: AccountFilter, id: bigint): boolean {
  if (accounts.kind === 'set') return accounts.ids.includes(id);
  return id >= accounts.lower && id <= accounts.upper && !accounts.excluded.includes(id);
}

function inOrder(ids: readonly bigint[], order: 'asc' | 'desc'): readonly bigint[] {
  return [...ids].sort((a, b) => (a < b === (order === 'asc') ? -1 : 1));
}
