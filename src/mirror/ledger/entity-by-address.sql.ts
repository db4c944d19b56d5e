import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';

/** Finds the entity with an alias or EVM address. @returns the encoded id, null when nobody has it. */
type EntityByAddress = (address: Uint8Array) => Work<bigint | null>;

/** What was created in the imported part and not deleted is there. */
const DELETED = 'coalesce(s.deleted, case when e.created_ts is null then null else 0 end)';

/** The newest one that has the EVM address and is known not to be deleted, since an address can be used again. */
export function prepareEntityByEvmAddress(sql: Sql): EntityByAddress {
  return prepareOne(sql, `e.evm_address = ? and ${DELETED} = 0`);
}

/** The newest one that has the alias and is not known to be deleted. */
export function prepareEntityByAlias(sql: Sql): EntityByAddress {
  return prepareOne(sql, `e.alias = ? and ${DELETED} is distinct from 1`);
}

function prepareOne(sql: Sql, condition: string): EntityByAddress {
  const find = sql.prepareExactValue<[Uint8Array], bigint>(
    `select e.id from entity e left join entity_settings s on s.id = e.id where ${condition}
     order by e.created_ts desc nulls last, e.id desc limit 1`,
  );
  return function* (address) {
    return (yield* find.get(address)) ?? null;
  };
}

/** The newest one that has it as address or alias and is not deleted. */
export function prepareEntityByAddress(sql: Sql): EntityByAddress {
  return prepare(sql, 'where s.deleted is distinct from 1 order by');
}

/** As {@link prepareEntityByAddress}, but a deleted one as long as nobody else has the address: what it was can be asked. */
export function prepareAnyEntityByAddress(sql: Sql): EntityByAddress {
  return prepare(sql, 'order by coalesce(s.deleted, 0),');
}

function prepare(sql: Sql, choice: string): EntityByAddress {
  const find = sql.prepareExactValue<[Uint8Array, Uint8Array], bigint>(
    `select e.id from (
       select id, created_ts from entity where evm_address = ?
       union all select id, created_ts from entity where alias = ?) e
     left join entity_settings s on s.id = e.id ${choice} e.created_ts desc nulls last limit 1`,
  );
  return function* (address) {
    return (yield* find.get(address, address)) ?? null;
  };
}
