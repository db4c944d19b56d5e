import { column, stateTable } from '../../../values/stored-tables.ts';
import type { Facet } from './facet.ts';

/** The columns of `entity` that are not balances: what it is, and the addresses under which others name it. */
export const ENTITY_NAMES = stateTable(
  'entity',
  { id: 'id' },
  {
    /** Null when the imported part does not tell. */
    type: column<string | null>('type'),
    alias: column<Uint8Array | null>('alias'),
    evmAddress: column<Uint8Array | null>('evm_address'),
    /** Null when it was created before the imported part. */
    created: column<bigint | null>('created_ts'),
  },
);

/** Of an entity that was created before the imported part. */
export const UNKNOWN_NAMES = { type: null, alias: null, evmAddress: null, created: null };

/** Names stay until others are told; a creation is told once. @see contracts/streams.md section 12 */
export const entityNames: Facet<never> = {
  touch({ entities, entityChanges }, keys) {
    for (const { entity } of entities) keys.add(ENTITY_NAMES, entity);
    for (const { entity, type } of entityChanges) if (type !== undefined) keys.add(ENTITY_NAMES, entity);
  },

  fold({ unit }, state) {
    const rows = state.rows(ENTITY_NAMES);
    for (const { alias, createdTimestamp, entity: id, evmAddress, type } of unit.entities) {
      const stored = rows.get(id);
      rows.set({
        id,
        type,
        alias: alias ?? stored?.alias ?? null,
        evmAddress: evmAddress ?? stored?.evmAddress ?? null,
        created: stored?.created ?? createdTimestamp,
      });
    }
    for (const { entity: id, type } of unit.entityChanges) {
      if (type === undefined) continue;
      const stored = rows.get(id);
      if ((stored?.type ?? null) === null) rows.set({ ...UNKNOWN_NAMES, ...stored, id, type });
    }
  },

  rebuild: { replaced: ['entity'] },
};
