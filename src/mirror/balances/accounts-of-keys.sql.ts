import type { Sql } from '../../storage/sql/sql.ts';
import { bareHex } from '../../values/hex.ts';
import type { Work } from '../../values/work.ts';
import { type PublicKeyFilter, selectsKey } from '../parameters/public-key-filter.ts';
import { LONGEST_STEP } from './account-walk.ts';

interface KeyRow {
  readonly id: bigint;
  readonly key: Buffer;
}

/** Finds the accounts of a range of keys; null when they are many, as a walk by account meets them soon then. */
export function prepareFewAccounts(
  sql: Sql,
): (keys: PublicKeyFilter | null) => Work<readonly bigint[] | null> {
  const idsOfKeys = sql
    .prepare<[Buffer, Buffer, number], KeyRow>(
      `select id, public_key as "key" from entity_settings
       where public_key >= ? and public_key < ? order by public_key limit ${sql.dialect.boundLimit}`,
    )
    .safeIntegers(true);
  return function* (keys) {
    if (keys?.kind !== 'range') return null;
    const bound = (key: string) => Buffer.from(key, 'hex');
    const rows = yield* idsOfKeys.all(bound(keys.lower), bound(keys.upper), LONGEST_STEP + 1);
    if (rows.length > LONGEST_STEP) return null;
    return rows.filter((row) => selectsKey(keys, bareHex(row.key))).map((row) => row.id);
  };
}
