import type { SqliteDatabase } from '../../storage/sqlite.ts';

/**
 * Finds the entity with an alias or EVM address; the newest one, since an address can be used again.
 *
 * @returns a function from the bytes to the encoded id, null when nobody has them.
 */
export function prepareEntityByAddress(database: SqliteDatabase): (address: Uint8Array) => bigint | null {
  const find = database
    .prepare<[Uint8Array, Uint8Array], bigint>(
      `select id from (
         select id, created_ts from entity where evm_address = ?
         union all select id, created_ts from entity where alias = ?)
       order by created_ts desc limit 1`,
    )
    .safeIntegers(true)
    .pluck();
  return (address) => find.get(address, address) ?? null;
}
