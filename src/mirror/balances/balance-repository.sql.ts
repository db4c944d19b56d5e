import { eachOnce } from '../../storage/each-once.sql.ts';
import type { Sql, SqlDialect, SqlList } from '../../storage/sql/sql.ts';
import { answer } from '../../values/work.ts';
import { byNumber } from '../parameters/page-parameters.ts';
import type { PublicKeyFilter } from '../parameters/public-key-filter.ts';
import { type AccountWalk, type WalkRow, type WalkSteps, walkAccounts } from './account-walk.ts';
import { BALANCE_AT, createBalanceSnapshots } from './balance-snapshots.sql.ts';
import type { Snapshot } from './balance-snapshots.ts';
import { prepareFewAccounts } from './few-accounts.sql.ts';

/** Which balances a page asks for, by account; the keys are those of now, whatever the time. */
type BalanceSelection = Omit<AccountWalk, 'onlyKnown'>;

export interface AccountBalance<Balance = bigint | null> {
  readonly account: bigint;
  /** Tinybars; null while unknown. */
  readonly balance: Balance;
  /** When it was last known to be so; null at the time of a snapshot, and where nothing tells. */
  readonly at: bigint | null;
}

export interface TokenBalance {
  readonly token: bigint;
  /** Smallest units, or the number of NFTs. */
  readonly balance: bigint;
}

interface TokensRow {
  readonly account: bigint;
  /** `token:balance`, with commas between; null when there are none. */
  readonly tokens: string | null;
}

/** The read side of balances. */
export type BalanceRepository = ReturnType<typeof createBalanceRepository>;

/** Reads the running balances and their snapshots. */
export function createBalanceRepository(sql: Sql) {
  const tokensInOrder = (order: 'asc' | 'desc') =>
    sql.prepareExact<[bigint, number], TokenBalance>(
      `select token_id as "token", balance from token_balance where account_id = ? and balance is not null
       order by token_id ${order} limit ?`,
    );
  const tokens = { asc: tokensInOrder('asc'), desc: tokensInOrder('desc') };
  const { each, list } = sql.dialect;
  const prepareEach = (order: 'asc' | 'desc') =>
    sql.prepareExact<[number, SqlList], TokensRow>(
      `select account.value as account, (
         select string_agg(held.token_id || ':' || held.balance, ',') from (
           select token_id, balance from token_balance where account_id = account.value and balance is not null
           order by token_id ${order} limit ?) as held) as tokens
       from ${each('account')}`,
    );
  const ofEach = { asc: prepareEach('asc'), desc: prepareEach('desc') };
  const { tokensAt, ...snapshots } = createBalanceSnapshots(sql);
  return {
    ...snapshots,
    /** In order: those of now without a snapshot, unknown ones as null; of a snapshot those that were known. */
    page: createBalancePages(sql),
    /** What {@link tokensOf} gives, of several accounts. */
    async tokensOfEach(
      accounts: readonly bigint[],
      limit: number,
      snapshot: Snapshot | null,
      order: 'asc' | 'desc',
    ) {
      const found = new Map<bigint, readonly TokenBalance[]>();
      if (accounts.length === 0) return found;
      return sql.read(function* () {
        if (snapshot === null) {
          const rows = yield* ofEach[order].all(limit, list(accounts));
          for (const row of rows) found.set(row.account, parseTokens(row.tokens, order));
        } else {
          for (const id of accounts) found.set(id, yield* tokensAt(id, snapshot, limit, order));
        }
        return found;
      });
    },
    /** In the order of the tokens: what the account holds now without a snapshot. */
    async tokensOf(account: bigint, limit: number, snapshot: Snapshot | null, order: 'asc' | 'desc') {
      return sql.read(() =>
        snapshot === null ? tokens[order].all(account, limit) : tokensAt(account, snapshot, limit, order),
      );
    },
  };
}

function parseTokens(text: string | null, order: 'asc' | 'desc'): readonly TokenBalance[] {
  if (text === null) return [];
  const found = text.split(',').map((pair): TokenBalance => {
    const [token = '', balance = ''] = pair.split(':');
    return { token: BigInt(token), balance: BigInt(balance) };
  });
  return found.sort(byNumber(order, ({ token }) => token));
}

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

/** Finds the accounts of a page and their balances, at the newest state or at the time of a snapshot. */
function createBalancePages(sql: Sql) {
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

  return async (
    selection: BalanceSelection,
    snapshot: Snapshot | null,
  ): Promise<readonly AccountBalance[]> => {
    const steps = stepsOf(selection.keys, selection.order, snapshot);
    // A snapshot has no account whose balance was not known by then.
    const walk = { ...selection, onlyKnown: snapshot !== null };
    const rows = await sql.read(() => walkAccounts(walk, steps));
    return rows.map(({ at, balance, id }) => ({ account: id, balance, at }));
  };
}
