import { noteByLater } from '../../ledger/proof-note.ts';
import type { LedgerUnit, UnitHeader } from '../../ledger/rows.ts';
import { sameBytes } from '../sha384.ts';
import type { ProvenLevel } from '../units/stream-unit.ts';

/** A unit that waits for the commit it shares. */
export interface WaitingUnit {
  readonly name: string;
  readonly unit: LedgerUnit;
  /** Proves it; null when it is proven as far as it has to be. */
  readonly proveLater: (() => Promise<ProvenLevel>) | null;
}

/** What came of proving waiting units. */
interface LateProofs {
  /** Proven, in their order; those from the refused one on are dropped. */
  readonly units: readonly WaitingUnit[];
  /** The first unit that is not bound by a later one and whose own proof is false, and why; null when there is none. */
  readonly refused: { readonly name: string; readonly error: unknown } | null;
}

/** Units at the end whose proof is still to be checked. */
export function unprovenCount(waiting: readonly WaitingUnit[]): number {
  return waiting.length - 1 - waiting.findLastIndex(({ proveLater }) => proveLater === null);
}

/**
 * Proves what waits, with as few proofs as it takes: a proof also binds the units before its own, each by the hash that the
 * next one names.
 *
 * When a proof is false, the units before it are proven by the one before, and so on.
 */
export async function proveWaiting(waiting: readonly WaitingUnit[]): Promise<LateProofs> {
  /** From the last one back. */
  let proven: WaitingUnit[] = [];
  let refused: LateProofs['refused'] = null;
  /** By whose proof the unit before the last one looked at is bound, if it is. */
  let binding: { readonly header: UnitHeader; readonly level: ProvenLevel; readonly by: string } | null =
    null;
  for (const each of waiting.toReversed()) {
    const { header } = each.unit;
    const { proveLater } = each;
    if (proveLater === null) {
      binding = holds(each.unit.proofs) ? { header, level: levelOf(header), by: each.name } : null;
      proven.push(each);
    } else if (binding !== null && sameBytes(binding.header.previousHash, header.hash)) {
      const { by, level }: Binding = binding;
      proven.push(withLevel(each, { ...level, note: level.note && noteByLater(level.note, by) }));
      binding = { header, level, by };
    } else {
      try {
        const level = await proveLater();
        proven.push(withLevel(each, level));
        const isBinding = level.proof !== null && holds([level.proof]);
        binding = isBinding ? { header, level: { ...level, proof: null }, by: each.name } : null;
      } catch (error) {
        refused = { name: each.name, error };
        proven = [];
        binding = null;
      }
    }
  }
  return { units: proven.reverse(), refused };
}

/** The unit after the one that is looked at, when a proof binds both. */
interface Binding {
  readonly header: UnitHeader;
  readonly level: ProvenLevel;
  /** Whose proof it is. */
  readonly by: string;
}

/** A proof that cannot be checked binds nothing. */
function holds(proofs: LedgerUnit['proofs']): boolean {
  return proofs.some(({ generation }) => generation !== null);
}

function levelOf({ proof = null, verification }: UnitHeader): ProvenLevel {
  return { level: verification, note: proof, proof: null };
}

function withLevel({ name, unit }: WaitingUnit, { level, note, proof }: ProvenLevel): WaitingUnit {
  const header = { ...unit.header, verification: level, proof: note };
  return {
    name,
    unit: { ...unit, header, proofs: proof === null ? unit.proofs : [proof] },
    proveLater: null,
  };
}
