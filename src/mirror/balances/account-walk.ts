import { setImmediate } from 'node:timers/promises';
import { bareHex } from '../../values/hex.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { type Work, waitFor } from '../../values/work.ts';
import type { AccountFilter } from '../parameters/account-filter.ts';
import { type AndedIntegers, meetsAll } from '../parameters/anded-integers.ts';
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
export interface AccountWalk {
  /** Null for all. */
  readonly accounts: AccountFilter | null;
  /** Tinybars; null for any, also one that is unknown. */
  readonly balance: AndedIntegers | null;
  readonly keys: PublicKeyFilter | null;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** How a walk meets accounts. */
export interface WalkSteps<Row> {
  /** In order, bounds inclusive. */
  readonly range: (lower: bigint, upper: bigint, count: number) => Work<readonly Row[]>;
  /** Those of a list, in any order. */
  readonly listed: (ids: readonly bigint[]) => Work<readonly Row[]>;
}

/** Accounts that are looked at before other requests get a turn. */
export const LONGEST_STEP = 2000;
const ALL_ACCOUNTS: AccountFilter = { kind: 'range', lower: MIN_INT64, upper: MAX_INT64, excluded: [] };

/**
 * The accounts of a page, in order: no index knows balances, so they are met along the accounts, in steps.
 *
 * @param few the accounts that meet the keys, when they are few and known; null to meet them along the way
 */
export function* walkAccounts<Row extends WalkRow>(
  walk: AccountWalk,
  steps: WalkSteps<Row>,
  few: readonly bigint[] | null,
): Work<readonly Row[]> {
  const accounts = walk.accounts ?? ALL_ACCOUNTS;
  if (accounts.kind === 'range' && few === null) return yield* walkRange(walk, steps, accounts);
  const { limit, order } = walk;
  const asked = accounts.kind === 'set' ? accounts.ids : (few ?? []).filter((id) => isOf(accounts, id));
  const ids = [...asked].sort((one, other) => compare(one, other, order));
  const found: Row[] = [];
  for (let from = 0, count = limit; from < ids.length && found.length < limit; count = LONGEST_STEP) {
    const rows = yield* steps.listed(ids.slice(from, from + count));
    const wanted = rows.filter((row) => isWanted(row, walk));
    found.push(...wanted.sort((one, other) => compare(one.id, other.id, order)));
    from += count;
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
  while (lower <= upper) {
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
    count = LONGEST_STEP;
    yield* waitFor(() => setImmediate());
  }
  return found;
}

function isWanted({ balance, key }: WalkRow, { balance: wanted, keys }: AccountWalk): boolean {
  if (wanted !== null && (balance === null || !meetsAll(wanted, balance))) return false;
  return keys === null || (key !== null && selectsKey(keys, bareHex(key)));
}

function isOf(accounts: Extract<AccountFilter, { kind: 'range' }>, id: bigint): boolean {
  return id >= accounts.lower && id <= accounts.upper && !accounts.excluded.includes(id);
}

function compare(one: bigint, other: bigint, order: 'asc' | 'desc'): number {
  return one < other === (order === 'asc') ? -1 : 1;
}
