import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { PublicKeyFilter } from '../parameters/public-key-filter.ts';
import { type WalkRow, type WalkStep, walkAccounts } from './account-walk.ts';
import { prepareFewAccounts } from './accounts-of-keys.sqlite.ts';
import type { AccountBalance, BalanceSelection } from './balance-repository.ts';
import { BALANCE_AT, eachOnce } from './balance-snapshots.sqlite.ts';
import type { Snapshot } from './balance-snapshots.ts';

interface BalanceRow extends WalkRow {
  /** Null at the time of a snapshot. */
  readonly at: bigint | null;
}

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
    const prepare = (text: string) => database.prepare<[object], BalanceRow>(text).safeIntegers(true);
    return { plain: prepare(texts.plain), keyed: prepare(texts.keyed), oneKey: prepare(texts.oneKey) };
  };
  const statements = {
    now: { asc: prepared(statementsNow('asc')), desc: prepared(statementsNow('desc')) },
    at: { asc: prepared(statementsAt('asc')), desc: prepared(statementsAt('desc')) },
  };
  const fewAccountsOf = prepareFewAccounts(database);

  /** The cheapest way through the accounts that still knows what the conditions ask for. */
  const stepOf = (
    keys: PublicKeyFilter | null,
    order: 'asc' | 'desc',
    snapshot: Snapshot | null,
  ): WalkStep<BalanceRow> => {
    const accounts = keys === null ? 'plain' : keys.kind === 'one' ? 'oneKey' : 'keyed';
    const statement = statements[snapshot === null ? 'now' : 'at'][order][accounts];
    const fixed = {
      ...(snapshot === null ? {} : { at: snapshot.at, since: snapshot.since }),
      ...(keys?.kind === 'one' ? { key: Buffer.from(keys.key, 'hex') } : {}),
    };
    return (lower, upper, count) => statement.all({ ...fixed, lower, upper, count });
  };

  return async (selection, snapshot) => {
    const step = stepOf(selection.keys, selection.order, snapshot);
    const rows = await walkAccounts(selection, step, fewAccountsOf(selection.keys));
    return rows.flatMap(({ at, balance, id }) => (balance === null ? [] : [{ account: id, balance, at }]));
  };
}
