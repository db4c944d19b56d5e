import type { Sql } from '../../storage/sql/sql.ts';
import { bareHex } from '../../values/hex.ts';
import { MAX_STEP } from '../parameters/ordered-range.ts';
import { selectsKey } from '../parameters/public-key-filter.ts';
import type { WalkRow, WalkSteps } from './account-walk.ts';

interface KeyRow {
  readonly id: bigint;
  readonly key: Buffer;
}

/** With more than this a walk by account meets them soon, unless all of them lie at its end. */
export const MAX_WITH_BALANCES = 5000;

/** Finds the accounts of a range of keys or balances; null when they are many, as a walk meets them soon then. */
export function prepareFewAccounts(sql: Sql): Pick<WalkSteps<WalkRow>, 'withKeys' | 'withBalances'> {
  const idsOfBalances = sql.prepareExactValue<[bigint, bigint, number], bigint>(
    `select id from entity where balance >= ? and balance <= ? limit ?`,
  );
  const idsOfKeys = sql.prepareExact<[Buffer, Buffer, number], KeyRow>(
    `select id, public_key as "key" from entity_settings
     where public_key >= ? and public_key < ? order by public_key limit ?`,
  );
  return {
    *withKeys(keys) {
      if (keys.kind !== 'range') return null;
      const bound = (key: string) => Buffer.from(key, 'hex');
      const rows = yield* idsOfKeys.all(bound(keys.lower), bound(keys.upper), MAX_STEP + 1);
      if (rows.length > MAX_STEP) return null;
      return rows.filter((row) => selectsKey(keys, bareHex(row.key))).map((row) => row.id);
    },
    *withBalances({ lower, upper }) {
      const ids = yield* idsOfBalances.all(lower, upper, MAX_WITH_BALANCES + 1);
      return ids.length > MAX_WITH_BALANCES ? null : ids;
    },
  };
}
