import { setImmediate } from 'node:timers/promises';
import { bareHex } from '../../values/hex.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
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

/** Reads accounts in order, bounds inclusive. */
export type WalkStep<Row> = (lower: bigint, upper: bigint, count: number) => readonly Row[];

/** Accounts that are looked at before other requests get a turn. */
export const LONGEST_STEP = 2000;
const ALL_ACCOUNTS: AccountFilter = { kind: 'range', lower: MIN_INT64, upper: MAX_INT64, excluded: [] };

/**
 * The accounts of a page, in order: no index knows balances, so they are met along the accounts, in steps.
 *
 * @param few the accounts that meet the keys, when they are few and known; null to meet them along the way
 */
export async function walkAccounts<Row extends WalkRow>(
  walk: AccountWalk,
  step: WalkStep<Row>,
  few: readonly bigint[] | null,
): Promise<readonly Row[]> {
  const accounts = walk.accounts ?? ALL_ACCOUNTS;
  if (accounts.kind === 'range' && few === null) return walkRange(walk, step, accounts);
  const ids = accounts.kind === 'set' ? accounts.ids : (few ?? []);
  const found: Row[] = [];
  for (const id of inOrder(ids, walk.order)) {
    const row = isOf(accounts, id) ? step(id, id, 1)[0] : undefined;
    if (row !== undefined && isWanted(row, walk)) found.push(row);
    if (found.length === walk.limit) break;
  }
  return found;
}

async function walkRange<Row extends WalkRow>(
  walk: AccountWalk,
  step: WalkStep<Row>,
  range: Extract<AccountFilter, { kind: 'range' }>,
): Promise<readonly Row[]> {
  const { limit, order } = walk;
  const found: Row[] = [];
  let { lower, upper } = range;
  let count = limit;
  while (lower <= upper) {
    const rows = step(lower, upper, count);
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
    await setImmediate();
  }
  return found;
}

function isWanted({ balance, key }: WalkRow, { balance: wanted, keys }: AccountWalk): boolean {
  if (wanted !== null && (balance === null || !meetsAll(wanted, balance))) return false;
  return keys === null || (key !== null && selectsKey(keys, bareHex(key)));
}

function isOf(accounts: AccountFilter, id: bigint): boolean {
  if (accounts.kind === 'set') return true;
  return id >= accounts.lower && id <= accounts.upper && !accounts.excluded.includes(id);
}

function inOrder(ids: readonly bigint[], order: 'asc' | 'desc'): readonly bigint[] {
  return [...ids].sort((a, b) => (a < b === (order === 'asc') ? -1 : 1));
}
