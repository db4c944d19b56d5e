import type { StateFold } from '../fold/state-fold.ts';
import { stateTable } from '../fold/tables.ts';

interface BlockTree {
  readonly onlyRow: bigint;
  /** Place of the block before which the roots lie. */
  readonly place: bigint;
  readonly edge: Uint8Array;
}

const BLOCK_TREE = stateTable<BlockTree>(
  'block_tree',
  { onlyRow: 'only_row' },
  { place: 'place', edge: 'edge' },
);

/**
 * The tree over the roots of all blocks: one row, overwritten by each block that knows it.
 *
 * Whatever follows without knowing it leaves the row behind, which then no longer holds. A rebuild leaves it alone.
 *
 * @see docs/adr/0020-sources.md
 */
export const blockTree: StateFold = {
  fold({ place, unit: { tree } }, state) {
    if (tree !== null) state.rows(BLOCK_TREE).set({ onlyRow: 1n, place, edge: tree });
  },
};
