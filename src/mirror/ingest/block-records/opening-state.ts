import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { OpeningState } from '../../ledger/facets/opening-state.ts';
import { STATE } from './field-numbers.ts';
import { mapChanges } from './state-changes.ts';

/** The states that become rows. @see contracts/streams.md section 9.6 */
export const OPENING_STATES: ReadonlySet<number> = new Set([
  STATE.accounts.id,
  STATE.bytecode.id,
  STATE.files.id,
]);

/**
 * What the first block of a network states, in its order.
 *
 * @param begin of the block, for changes that tell no time
 */
export function openingStateOf(
  changes: readonly { readonly bytes: Uint8Array; readonly at: bigint | null }[],
  begin: bigint,
): readonly OpeningState[] {
  return changes.flatMap(({ at, bytes }) =>
    mapChanges(bytes, OPENING_STATES).next().done === true
      ? []
      : [{ timestamp: consensusTimestamp(at ?? begin), changes: bytes }],
  );
}
