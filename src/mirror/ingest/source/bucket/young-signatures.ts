import type { Clock } from '../../../../values/clock.ts';
import type { ConsensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import { parseSignatureFile } from '../../signature/parse-signature-file.ts';
import type { ObjectStore } from './object-store.ts';

/** A signature whose key is known, whether or not somebody listed it. */
export interface KeyedSignature {
  readonly instant: ConsensusTimestamp;
  readonly key: string;
  /** Null where nobody listed it. */
  readonly size: number | null;
  /** Place of its node. */
  readonly placeId: string;
}

interface YoungUnit {
  readonly sinceMs: number;
  readonly bytes: Map<string, Uint8Array>;
  /** In this look. */
  missed: number;
}

/** After so many misses the rest of the nodes is not asked before the next look, as long as the unit is young. */
const MISSES = 3;
const YOUNG_MS = 10_000;

export function createYoungSignatures(store: Pick<ObjectStore, 'get'>, clock: Pick<Clock, 'now'>) {
  const units = new Map<ConsensusTimestamp, YoungUnit>();
  const late = new Set<string>();
  const unitAt = (instant: ConsensusTimestamp): YoungUnit => {
    const known = units.get(instant);
    if (known !== undefined) return known;
    const unit: YoungUnit = { sinceMs: clock.now(), bytes: new Map(), missed: 0 };
    units.set(instant, unit);
    return unit;
  };
  return {
    /** A look begins. What the ledger has is let go. */
    begin(after: ConsensusTimestamp | null): void {
      for (const [instant, unit] of units) {
        if (after === null || instant <= after) units.delete(instant);
        else unit.missed = 0;
      }
    },
    /** Null when it is not there yet. */
    async read({ instant, key, placeId, size }: KeyedSignature): Promise<Uint8Array | null> {
      const unit = unitAt(instant);
      const known = unit.bytes.get(key);
      if (known !== undefined) return known;
      if (unit.missed >= MISSES && clock.now() - unit.sinceMs < YOUNG_MS) return null;
      const bytes = await store.get(key, size);
      if (bytes === null) {
        unit.missed++;
        late.add(placeId);
      } else {
        // Nobody told its length, so that one that was cut shows only here: it is fetched again.
        if (isReadable(bytes, key)) unit.bytes.set(key, bytes);
        late.delete(placeId);
      }
      return bytes;
    },
    /** Whether the node had none when it was asked last. */
    isLate: (placeId: string): boolean => late.has(placeId),
  };
}

/** Signatures of units that are just being signed: what came stays, what is missing is asked for seldom. */
export type YoungSignatures = ReturnType<typeof createYoungSignatures>;

function isReadable(bytes: Uint8Array, key: string): boolean {
  try {
    parseSignatureFile(bytes, key);
    return true;
  } catch {
    return false;
  }
}
