import { column, stateTable } from '../../../values/stored-tables.ts';
import type { Facet } from './facet.ts';

const BLOCK_TREE = stateTable(
  'block_tree',
  { onlyRow: 'only_row' },
  {
    /** Place of the block before which the roots lie. */
    place: column<bigint>('place'),
    edge: column<Uint8Array>('edge'),
  },
);

/**
 * The tree over the roots of all blocks: one row, overwritten by each block that knows it.
 *
 * Whatever follows without knowing it leaves the row behind, which then no longer holds. A rebuild leaves it alone.
 *
 * @see docs/adr/0020-sources.md
 */
export const blockTree: Facet<never> = {
  fold({ place, unit: { tree } }, state) {
    if (tree !== null) state.rows(BLOCK_TREE).set({ onlyRow: 1n, place, edge: tree });
  },
};
