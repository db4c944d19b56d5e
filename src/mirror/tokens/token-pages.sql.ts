import { setImmediate } from 'node:timers/promises';
import { prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import { bareHex } from '../../values/hex.ts';
import { bytes, flag, int64, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import { type Work, waitFor } from '../../values/work.ts';
import type { TokenKind } from '../ledger/facets/tokens.ts';
import { MAX_STEP, rangeOf, walkSteps } from '../parameters/ordered-range.ts';
import { byNumber, type IntegerSelection, type PageRequest } from '../parameters/page-parameters.ts';
import { type PublicKeyFilter, selectsKey } from '../parameters/public-key-filter.ts';

/** A token as lists show it, with what they are searched by. The statement takes whose token it may be first. */
const LISTED_TOKEN = rowTable({
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

type Order = TokenSelection['order'];
/** The tokens of a range: its ends, and how many. */
type TokensOf = (...range: readonly (bigint | number)[]) => Work<readonly bigint[]>;

/** Names that are searched before: about the same time. */
const NAMES_OF_STEP = 20_000n;

/** Pages of tokens: a walk along the index that leaves the fewest, each token of which is checked. */
export function createTokenPages(sql: Sql): (selection: TokenSelection) => Promise<readonly ListedToken[]> {
  const { indexedBy, isListed, list, placeOf } = sql.dialect;
  const rowsOf = prepareSelect(
    sql,
    LISTED_TOKEN,
    `from token t
     left join entity e on e.id = t.token_id left join entity_settings s on s.id = t.token_id
     where ${isListed('t.token_id')} and t.lower_ts is not null and (e.id is not null or s.id is not null)`,
  );
  const ids = (select: string, order: Order) =>
    sql.prepareExactValue<unknown[], bigint>(`select ${select} between ? and ? order by 1 ${order} limit ?`);
  const named = (order: Order) =>
    sql.prepareExactValue<unknown[], bigint>(
      `select token_id from token ${indexedBy('token_by_name')}
       where token_id between ? and ? and ${placeOf('?', 'folded_name')} > 0
       order by token_id ${order} limit ?`,
    );
  const endOf = (from: '>=' | '<=', order: Order) =>
    sql.prepareExactValue<[bigint, bigint], bigint>(
      `select token_id from token ${indexedBy('token_by_name')} where token_id ${from} ?
       order by token_id ${order} limit 1 offset ?`,
    );
  const statements = (order: Order) => ({
    every: ids('token_id from token where token_id', order),
    ofKind: ids(`token_id from token ${indexedBy('token_by_kind')} where kind = ? and token_id`, order),
    ofKey: ids(
      `id from entity_settings ${indexedBy('entity_settings_by_public_key')} where public_key = ? and id`,
      order,
    ),
    ofAccount: ids('token_id from token_balance where account_id = ? and token_id', order),
    named: named(order),
    endOfNames: order === 'asc' ? endOf('>=', order) : endOf('<=', order),
  });
  const walks = { asc: statements('asc'), desc: statements('desc') };

  const stepOf = ({ account, keys, kind, order }: TokenSelection): TokensOf => {
    const { every, ofAccount, ofKey, ofKind } = walks[order];
    if (account !== null) return (...range) => ofAccount.all(account, ...range);
    if (keys?.kind === 'one') return (...range) => ofKey.all(Buffer.from(keys.key, 'hex'), ...range);
    if (kind !== null) return (...range) => ofKind.all(kind, ...range);
    return (...range) => every.all(...range);
  };

  /** Those of a list that are wanted, in the order of the page. */
  function* read(selection: TokenSelection, tokens: readonly bigint[]): Work<readonly ListedToken[]> {
    if (tokens.length === 0) return [];
    const rows = yield* rowsOf.all(selection.account, list(tokens));
    const wanted = rows.filter((row) => isWanted(row, selection));
    return wanted.sort(byNumber(selection.order, ({ token }) => token));
  }

  function walk(selection: TokenSelection): Work<readonly ListedToken[]> {
    const step = stepOf(selection);
    return walkSteps<bigint, ListedToken>(rangeOf(selection.ids), {
      ...selection,
      keyOf: (token) => [token],
      *read({ lower, upper }, count) {
        const rows = yield* step(...lower, ...upper, count);
        return { rows, wanted: yield* read(selection, rows) };
      },
    });
  }

  function* search(selection: TokenSelection): Work<readonly ListedToken[]> {
    const { limit, order } = selection;
    const [name = ''] = [...selection.names].sort((left, right) => right.length - left.length);
    const { endOfNames, named } = walks[order];
    const found: ListedToken[] = [];
    let { lower, upper } = selection.ids;
    for (let count = limit; lower <= upper; count = MAX_STEP) {
      const end = yield* endOfNames.get(order === 'asc' ? lower : upper, NAMES_OF_STEP);
      const until = end ?? (order === 'asc' ? upper : lower);
      const range = order === 'asc' ? [lower, least(until, upper)] : [greatest(until, lower), upper];
      const tokens = yield* named.all(...range, name, count);
      found.push(...(yield* read(selection, tokens)));
      const last = tokens.length < count ? undefined : tokens.at(-1);
      if (found.length >= limit || (end === undefined && last === undefined)) break;
      if (order === 'asc') lower = (last ?? until) + 1n;
      else upper = (last ?? until) - 1n;
      yield* waitFor(() => setImmediate());
    }
    return found.slice(0, limit);
  }

  function* page(selection: TokenSelection): Work<readonly ListedToken[]> {
    const { ids: wanted, limit, names } = selection;
    if (wanted.equal === null) return yield* names.length > 0 ? search(selection) : walk(selection);
    const few = [...wanted.equal].filter((id) => id >= wanted.lower && id <= wanted.upper);
    return (yield* read(selection, few)).slice(0, limit);
  }

  return async (selection) => sql.read(() => page(selection));
}

function isWanted(row: ListedToken, { account, ids, keys, kind, names }: TokenSelection): boolean {
  if (ids.excluded.has(row.token) || (kind !== null && row.kind !== kind)) return false;
  if (account !== null && row.isHeld !== true) return false;
  if (!names.every((name) => row.foldedName.includes(name))) return false;
  return keys === null || (row.publicKey !== null && selectsKey(keys, bareHex(row.publicKey)));
}

function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

function greatest(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
