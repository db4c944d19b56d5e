import type { SqliteDatabase } from '../../storage/sqlite.ts';

/** Finds the entity with an alias or EVM address. @returns the encoded id, null when nobody has it. */
export type EntityByAddress = (address: Uint8Array) => bigint | null;

/** The newest one that is not deleted, since an address can be used again. */
export function prepareEntityByAddress(database: SqliteDatabase): EntityByAddress {
  return prepare(database, 'where s.deleted is not 1 order by');
}

/** As {@link prepareEntityByAddress}, but a deleted one as long as nobody else has the address: what it was can be asked. */
export function prepareAnyEntityByAddress(database: SqliteDatabase): EntityByAddress {
  return prepare(database, 'order by coalesce(s.deleted, 0),');
}

function prepare(database: SqliteDatabase, choice: string): EntityByAddress {
  const find = database
    .prepare<[Uint8Array, Uint8Array], bigint>(
      `select e.id from (
         select id, created_ts from entity where evm_address = ?
         union all select id, created_ts from entity where alias = ?) e
       left join entity_settings s on s.id = e.id ${choice} e.created_ts desc limit 1`,
    )
    .safeIntegers(true)
    .pluck();
  return (address) => find.get(address, address) ?? null;
}
