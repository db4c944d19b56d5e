import { setImmediate } from 'node:timers/promises';
import { LONGEST_STEP, STEPS_BEFORE_BALANCES } from '../balances/account-walk.ts';
import { type AndedIntegers, isNarrow, meetsAll } from '../parameters/anded-integers.ts';
import { type PublicKeyFilter, selectsKey } from '../parameters/public-key-filter.ts';
import type { Holder, RelationRange, RelationRepository } from './relation-repository.ts';

/** Which holders of a token a page asks for. */
export interface HolderSelection {
  readonly accounts: AndedIntegers;
  readonly balance: AndedIntegers;
  /** Of the account as it is now, whatever the time; null for all. */
  readonly keys: PublicKeyFilter | null;
  /** By account. */
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** A holder whose balance is known. */
export type KnownHolder = Holder & { readonly balance: bigint };

/** How a page meets holders. */
export interface HolderSteps {
  /** As many accounts as the limit while there are more. */
  readonly range: (range: RelationRange) => Promise<readonly Holder[]>;
  /** Those of a list, in any order. */
  readonly listed: (accounts: readonly bigint[]) => Promise<readonly Holder[]>;
  /** At least those with such a balance, when they are known to be few, else null. */
  readonly withBalances: (balance: AndedIntegers) => Promise<readonly bigint[] | null>;
}

/** Finds the holders of a page: along the accounts, in steps, or from a list, when few qualify. */
export async function findHolders(
  { accounts, balance, keys, limit, order }: HolderSelection,
  steps: HolderSteps,
  relations: Pick<RelationRepository, 'accountsWith' | 'keysOf'>,
): Promise<readonly KnownHolder[]> {
  let { lower, upper } = accounts;
  const found: KnownHolder[] = [];
  const take = (holder: Holder): void => {
    if (accounts.excluded.has(holder.account) || !isKnown(holder) || !meetsAll(balance, holder.balance))
      return;
    if (found.length < limit) found.push(holder);
  };
  const takeListed = async (
    few: readonly bigint[],
    keysOfRest: PublicKeyFilter | null,
  ): Promise<readonly KnownHolder[]> => {
    const compare = (a: bigint, b: bigint) => (a < b === (order === 'asc') ? -1 : 1);
    const asked = few.filter((account) => account >= lower && account <= upper).sort(compare);
    for (let from = 0, count = limit; from < asked.length && found.length < limit; count = LONGEST_STEP) {
      const rows = await steps.listed(asked.slice(from, from + count));
      const sorted = rows.toSorted((a, b) => compare(a.account, b.account));
      for (const holder of await withKeys(sorted, keysOfRest, relations)) take(holder);
      from += count;
      if (count === LONGEST_STEP) await setImmediate();
    }
    return found;
  };
  const few = keys === null ? null : await relations.accountsWith(keys);
  if (few !== null) return takeListed(few, null);
  let count = limit;
  for (let step = 0; lower <= upper; step++) {
    // What was found lies before the rest of the range.
    const isCounted = step === STEPS_BEFORE_BALANCES && isNarrow(balance);
    const others = isCounted ? await steps.withBalances(balance) : null;
    if (others !== null) return takeListed(others, keys);
    const rows = await steps.range({ lower, upper, order, limit: count });
    for (const holder of await withKeys(rows, keys, relations)) take(holder);
    const last = rows.at(-1);
    if (found.length === limit || last === undefined || rows.length < count) return found;
    if (order === 'asc') lower = last.account + 1n;
    else upper = last.account - 1n;
    count = LONGEST_STEP;
    await setImmediate();
  }
  return found;
}

async function withKeys(
  rows: readonly Holder[],
  filter: PublicKeyFilter | null,
  { keysOf }: Pick<RelationRepository, 'keysOf'>,
): Promise<readonly Holder[]> {
  if (filter === null) return rows;
  const keys = await keysOf(rows.map(({ account }) => account));
  return rows.filter(({ account }) => {
    const key = keys.get(account);
    return key !== undefined && selectsKey(filter, key);
  });
}

function isKnown(holder: Holder): holder is KnownHolder {
  return holder.balance !== null;
}
