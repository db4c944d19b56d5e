import { eachOnce } from '../../storage/each-once.sql.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import type { SqlDialect } from '../../storage/sql/sql-dialect.ts';
import { answer } from '../../values/work.ts';
import type { PublicKeyFilter } from '../parameters/public-key-filter.ts';
import { type WalkRow, type WalkSteps, walkAccounts } from './account-walk.ts';
import type { AccountBalance, BalanceSelection } from './balance-repository.ts';
import { BALANCE_AT } from './balance-snapshots.sql.ts';
import type { Snapshot } from './balance-snapshots.ts';
import { prepareFewAccounts } from './few-accounts.sql.ts';

interface BalanceRow extends WalkRow {
  /** Null at the time of a snapshot. */
  readonly at: bigint | null;
}

const IS_ACCOUNT = "(e.type is null or e.type in ('ACCOUNT', 'CONTRACT'))";
const RANGE = 'between @lower and @upper';
const keyOf = (id: string) => `(select k.public_key from entity_settings k where k.id = ${id})`;

/** The accounts in order as they are now, by what is asked of their keys, and those of a list. */
function statementsNow(order: 'asc' | 'desc', { isListed }: SqlDialect) {
  const of = (key: string, from: string, id: string) =>
    `select ${id}, e.balance, e.balance_ts as "at", ${key} as "key" from ${from} and ${IS_ACCOUNT}`;
  const inOrder = (key: string, from: string, id: string) =>
    `${of(key, `${from} ${id} ${RANGE}`, id)} order by ${id} ${order} limit @count`;
  // Both tables have the bounds, lest PostgreSQL merges them from the first account on.
  const ofOneKey = `entity_settings k cross join entity e
     where e.id = k.id and k.public_key = @key and e.id ${RANGE} and`;
  const listed = `entity e where ${isListed('e.id', '@wanted')}`;
  return {
    plain: inOrder('null', 'entity e where', 'e.id'),
    keyed: inOrder(keyOf('e.id'), 'entity e where', 'e.id'),
    oneKey: inOrder('k.public_key', ofOneKey, 'k.id'),
    listed: of('null', listed, 'e.id'),
    listedKeyed: of(keyOf('e.id'), listed, 'e.id'),
  };
}

/** The same as they were: those that any snapshot has. */
function statementsAt(order: 'asc' | 'desc', { each: eachOf }: SqlDialect) {
  const each = eachOnce('account_id', 'balance_snapshot where', order);
  const of = (key: string, from: string, id: string) =>
    `select ${id} as id, ${BALANCE_AT.hbar(id)} as balance, null as "at", ${key} as "key" from ${from}`;
  const inOrder = (key: string) =>
    `${each} ${of(key, 'each', 'each.id')} where each.id is not null limit @count`;
  const listed = eachOf('wanted', '@wanted');
  return {
    plain: inOrder('null'),
    keyed: inOrder(keyOf('each.id')),
    oneKey: `${of('k.public_key', 'entity_settings k', 'k.id')} where k.public_key = @key and k.id ${RANGE}
     order by k.id ${order} limit @count`,
    listed: of('null', listed, 'wanted.value'),
    listedKeyed: of(keyOf('wanted.value'), listed, 'wanted.value'),
  };
}

/** Finds the accounts of a page and their known balances, at the newest state or at the time of a snapshot. */
export function createBalancePages(
  sql: Sql,
): (selection: BalanceSelection, snapshot: Snapshot | null) => Promise<readonly AccountBalance[]> {
  const prepare = (text: string) => sql.prepareExact<[object], BalanceRow>(text);
  const inOrder = (texts: ReturnType<typeof statementsNow>) => ({
    plain: prepare(texts.plain),
    keyed: prepare(texts.keyed),
    oneKey: prepare(texts.oneKey),
  });
  const prepared = (statements: typeof statementsNow) => {
    const asc = statements('asc', sql.dialect);
    return {
      asc: inOrder(asc),
      desc: inOrder(statements('desc', sql.dialect)),
      listed: { plain: prepare(asc.listed), keyed: prepare(asc.listedKeyed) },
    };
  };
  const statements = { now: prepared(statementsNow), at: prepared(statementsAt) };
  const few = prepareFewAccounts(sql);

  /** The cheapest way through the accounts that still knows what the conditions ask for. */
  const stepsOf = (
    keys: PublicKeyFilter | null,
    order: 'asc' | 'desc',
    snapshot: Snapshot | null,
  ): WalkSteps<BalanceRow> => {
    const of = statements[snapshot === null ? 'now' : 'at'];
    const inOrder = of[order][keys === null ? 'plain' : keys.kind === 'one' ? 'oneKey' : 'keyed'];
    const listed = of.listed[keys === null ? 'plain' : 'keyed'];
    const time = snapshot === null ? {} : { at: snapshot.at, since: snapshot.since };
    const key = keys?.kind === 'one' ? { key: Buffer.from(keys.key, 'hex') } : {};
    return {
      ...few,
      // Only current balances are indexed.
      ...(snapshot === null ? {} : { withBalances: () => answer(null) }),
      range: (lower, upper, count) => inOrder.all({ ...time, ...key, lower, upper, count }),
      listed: (ids) => listed.all({ ...time, wanted: sql.dialect.list(ids) }),
    };
  };

  return async (selection, snapshot) => {
    const steps = stepsOf(selection.keys, selection.order, snapshot);
    const rows = await sql.read(() => walkAccounts(selection, steps));
    return rows.flatMap(({ at, balance, id }) => (balance === null ? [] : [{ account: id, balance, at }]));
  };
}
