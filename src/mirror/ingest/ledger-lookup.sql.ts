import type { Sql, SqlList } from '../../storage/sql/sql.ts';
import type { EntityId } from '../../values/entity-id.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import type { TokenKind } from '../ledger/facets/tokens.ts';
import { createFileReader } from '../ledger/files/file-code.sql.ts';
import type { LedgerLookup } from './decode/known-entities.ts';

/** Looks up what decoding needs of entities, tokens and files. */
export function createLedgerLookup(sql: Sql): LedgerLookup {
  return createLookupBefore(sql)(MAX_INT64);
}

/** The same as the ledger was before a time, for decoding a stored unit once more. */
export function createLookupBefore(sql: Sql): (time: bigint) => LedgerLookup {
  const byAddress = (column: 'alias' | 'evm_address') =>
    sql.prepareExactValue<[Uint8Array, bigint], bigint>(
      `select id from entity where ${column} = ? and coalesce(created_ts, 0) < ?
       order by created_ts desc nulls last limit 1`,
    );
  const byAlias = byAddress('alias');
  const byEvmAddress = byAddress('evm_address');
  const kindOf = sql.prepareValue<[bigint], string>('select kind from token where token_id = ?');
  const contentsOf = createFileReader(sql);
  const { isListed, list } = sql.dialect;
  const addresses = sql.prepareExact<
    [SqlList, bigint],
    { readonly id: EntityId; readonly address: Uint8Array }
  >(
    `select id, evm_address as address from entity
       where ${isListed('id')} and evm_address is not null and coalesce(created_ts, 0) < ?`,
  );
  return (time) => ({
    entityByAlias: sql.reading(function* (alias) {
      return ((yield* byAlias.get(alias, time)) ??
        (yield* byEvmAddress.get(alias, time)) ??
        null) as EntityId | null;
    }),
    evmAddresses: sql.reading(function* (entities) {
      const found = yield* addresses.all(list(entities), time);
      return new Map(found.map(({ address, id }) => [id, address]));
    }),
    async fileContents(file, before) {
      return sql.read(() => contentsOf(file, before));
    },
    tokenKind: sql.reading(function* (token) {
      return ((yield* kindOf.get(token)) ?? null) as TokenKind | null;
    }),
  });
}
