import { column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
import { NO_PROOF_STATE, type ProofState, proofStateAfter } from '../known-trust.ts';
import type { LedgerUnit } from '../rows.ts';
import type { Facet } from './facet.ts';

/** What the proof of a block showed, for the proofs of later ones. */
export interface UnitProof {
  /** By whose rules it was accepted; null when it was not. */
  readonly generation: 1 | 2 | null;
  /** Threshold keys that the block proves: its own, and those that its state names. Newest first. */
  readonly keys: readonly Uint8Array[];
  /** The ledger id that its state names. */
  readonly stateLedgerId: Uint8Array | null;
}

const KEY_LENGTH = 1096;
const PROOF_STATE = stateTable(
  'proof_state',
  { onlyRow: 'only_row' },
  {
    generation: column<bigint | null>('generation'),
    keys: column<Uint8Array>('keys'),
    ledgerId: column<Uint8Array | null>('ledger_id'),
  },
);
type ProofRow = RowOf<typeof PROOF_STATE>;

/**
 * What the proofs of blocks showed: one row. A rebuild leaves it alone, since stored bytes hold no proofs.
 * There is one for a native block, else none.
 *
 * @see contracts/streams.md sections 18.2 and 18.3
 */
export const blockProofs: Facet<'proofs', UnitProof> = {
  name: 'proofs',

  touch(unit, keys) {
    if (mayChangeTrust(unit)) keys.add(PROOF_STATE, 1n);
  },

  fold({ isJump, unit }, state) {
    if (!mayChangeTrust(unit)) return;
    const row = state.rows(PROOF_STATE).get(1n);
    const before = row === null ? NO_PROOF_STATE : proofStateOf(row);
    const after = proofStateAfter(before, unit, isJump);
    if (after !== before) state.rows(PROOF_STATE).set(rowOf(after));
  },
};

/** A native block also by a jump; a wrapped one by a proof over its root. */
function mayChangeTrust({ header, proofs }: Pick<LedgerUnit, 'header' | 'proofs'>): boolean {
  return header.isNative || proofs.length > 0;
}

/** What a stored row says. */
export function proofStateOf({ generation, keys, ledgerId }: Omit<ProofRow, 'onlyRow'>): ProofState {
  return {
    generation: generation === null ? null : generation === 1n ? 1 : 2,
    keys: Array.from({ length: keys.length / KEY_LENGTH }, (_, index) =>
      keys.subarray(index * KEY_LENGTH, (index + 1) * KEY_LENGTH),
    ),
    stateLedgerId: ledgerId,
  };
}

function rowOf({ generation, keys, stateLedgerId }: ProofState): ProofRow {
  return {
    onlyRow: 1n,
    generation: generation === null ? null : BigInt(generation),
    keys: Buffer.concat(keys),
    ledgerId: stateLedgerId,
  };
}
