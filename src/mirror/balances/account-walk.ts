import { setImmediate } from 'node:timers/promises';
import { bareHex } from '../../values/hex.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { type Work, waitFor } from '../../values/work.ts';
import type { AccountFilter } from '../parameters/account-filter.ts';
import { type AndedIntegers, isNarrow, meetsAll } from '../parameters/anded-integers.ts';
import { MAX_STEP } from '../parameters/ordered-range.ts';
import { byNumber, type PageRequest } from '../parameters/page-parameters.ts';
import { type PublicKeyFilter, selectsKey } from '../parameters/public-key-filter.ts';

/** What the conditions of a walk look at. */
export interface WalkRow {
  readonly id: bigint;
  /** Tinybars. */
  readonly balance: bigint | null;
  /** Null when no condition asks for it. */
  readonly key: Buffer | null;
}

/** Which accounts a page asks for. */
export interface AccountWalk extends PageRequest {
  /** Null for all. */
  readonly accounts: AccountFilter | null;
  /** Tinybars; null for any, also one that is unknown. */
  readonly balance: AndedIntegers | null;
  readonly keys: PublicKeyFilter | null;
  /** Whether accounts of unknown balance are left out. Default: only by a condition on it. */
  readonly onlyKnown?: boolean;
}

/** How a walk meets accounts. */
export interface WalkSteps<Row> {
  /** In order, bounds inclusive. */
  readonly range: (lower: bigint, upper: bigint, count: number) => Work<readonly Row[]>;
  /** Those of a list, in any order. */
  readonly listed: (ids: readonly bigint[]) => Work<readonly Row[]>;
  /** All that meet the keys, when they are known to be few, else null. */
  readonly withKeys: (keys: PublicKeyFilter) => Work<readonly bigint[] | null>;
  /** At least those with such a balance, when they are known to be few, else null. */
  readonly withBalances: (balance: AndedIntegers) => Work<readonly bigint[] | null>;
}

/** Steps after which the accounts of the balances are counted: the usual walk has found its page by then. */
const STEPS_BEFORE_BALANCES = 1;
const ALL_ACCOUNTS: AccountFilter = { kind: 'range', lower: MIN_INT64, upper: MAX_INT64, excluded: [] };

/** The accounts of a page, in order: met along the accounts, in steps, or from a list, when few qualify. */
export function* walkAccounts<Row extends WalkRow>(
  walk: AccountWalk,
  steps: WalkSteps<Row>,
): Work<readonly Row[]> {
  const accounts = walk.accounts ?? ALL_ACCOUNTS;
  if (accounts.kind === 'set') return yield* walkList(walk, steps, accounts.ids);
  const few = walk.keys === null ? null : yield* steps.withKeys(walk.keys);
  return yield* few === null ? walkRange(walk, steps, accounts) : walkList(walk, steps, few);
}

function* walkList<Row extends WalkRow>(
  walk: AccountWalk,
  steps: WalkSteps<Row>,
  asked: readonly bigint[],
): Work<readonly Row[]> {
  const { accounts, limit, order } = walk;
  const ids = asked
    .filter((id) => accounts?.kind !== 'range' || isOf(accounts, id))
    .sort(byNumber(order, (id) => id));
  const found: Row[] = [];
  for (let from = 0, count = limit; from < ids.length && found.length < limit; count = MAX_STEP) {
    const rows = yield* steps.listed(ids.slice(from, from + count));
    const wanted = rows.filter((row) => isWanted(row, walk));
    found.push(...wanted.sort(byNumber(order, ({ id }) => id)));
    from += count;
    if (count === MAX_STEP) yield* waitFor(() => setImmediate());
  }
  return found.slice(0, limit);
}

function* walkRange<Row extends WalkRow>(
  walk: AccountWalk,
  steps: WalkSteps<Row>,
  range: Extract<AccountFilter, { kind: 'range' }>,
): Work<readonly Row[]> {
  const { limit, order } = walk;
  const found: Row[] = [];
  let { lower, upper } = range;
  let count = limit;
  for (let step = 0; lower <= upper; step++) {
    if (step === STEPS_BEFORE_BALANCES && walk.balance !== null && isNarrow(walk.balance)) {
      const few = yield* steps.withBalances(walk.balance);
      if (few !== null) return yield* walkList(walk, steps, few);
    }
    const rows = yield* steps.range(lower, upper, count);
    for (const row of rows) {
      if (range.excluded.includes(row.id) || !isWanted(row, walk)) continue;
      found.push(row);
      if (found.length === limit) return found;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < count) return found;
    if (order === 'asc') lower = last.id + 1n;
    else upper = last.id - 1n;
    count = MAX_STEP;
    yield* waitFor(() => setImmediate());
  }
  return found;
}

function isWanted({ balance, key }: WalkRow, walk: AccountWalk): boolean {
  const { balance: wanted, keys, onlyKnown = false } = walk;
  if (balance === null ? wanted !== null || onlyKnown : wanted !== null && !meetsAll(wanted, balance))
    return false;
  return keys === null || (key !== null && selectsKey(keys, bareHex(key)));
}

function isOf(accounts: Extract<AccountFilter, { kind: 'range' }>, id: bigint): boolean {
  return id >= accounts.lower && id <= accounts.upper && !accounts.excluded.includes(id);
}
