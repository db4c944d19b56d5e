import type { EntityId } from '../../../values/entity-id.ts';
import type { ColumnValue } from '../../../values/stored-tables.ts';
import { ENTITY_HISTORY, historyRow, type Setting } from './entity-history.ts';
import { ENTITY_SETTINGS } from './entity-settings.ts';
import type { Facet } from './facet.ts';
import { HBAR_BALANCE } from './hbar-balances.ts';

/** An entity as it is or was for a time: every member is stated, and null is unknown. */
export interface EntityRow {
  readonly entity: EntityId;
  readonly lower: bigint;
  /** Exclusive; null while it is so. */
  readonly upper: bigint | null;
  readonly settings: { readonly [Name in Setting]: ColumnValue };
  /** What it is searched by, whatever the key. */
  readonly publicKey: Uint8Array | null;
  /** Tinybars at the end of the time, whatever the transactions of the unit move. */
  readonly balance: bigint | null;
  readonly balanceTimestamp: bigint | null;
}

/** Rows of entities with their history, as a fixture states them. Names and kinds stand in `entities`. */
export const statedEntities: Facet<'entityRows', EntityRow> = {
  name: 'entityRows',

  touch({ entityRows }, keys) {
    for (const { entity } of entityRows) {
      keys.add(ENTITY_SETTINGS, entity);
      keys.add(HBAR_BALANCE, entity);
    }
  },

  fold({ unit }, state) {
    for (const row of unit.entityRows) {
      const { balance, balanceTimestamp: balanceAt, entity: id, lower, publicKey, settings, upper } = row;
      if (upper !== null) {
        state.append(
          ENTITY_HISTORY,
          historyRow({ id, lower, upper, settings, publicKey, balance, balanceAt }),
        );
      } else if (lower >= (state.rows(ENTITY_SETTINGS).get(id)?.changedAt ?? lower)) {
        state.rows(ENTITY_SETTINGS).set({ ...settings, id, changedAt: lower, publicKey });
        state.rows(HBAR_BALANCE).set({ account: id, balance, at: balanceAt });
      }
    }
  },
};
