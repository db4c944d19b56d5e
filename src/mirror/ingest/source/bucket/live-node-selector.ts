import type { Clock } from '../../../../values/clock.ts';
import type { ConsensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import { parseSignatureFile } from '../../signature/parse-signature-file.ts';
import type { ObjectStore } from './object-store.ts';
import type { NodePlace } from './record-folders.ts';

/** Looks without anything new after which the next node is listed instead. */
const PATIENT_LOOKS = 3;
/** Without any progress all nodes are listed, at most so often. */
const STUCK_MS = 10_000;

/** The node that was first lately is listed, until it fails, is silent or gives what is not taken. */
export function createLiveLooks(clock: Pick<Clock, 'now'>) {
  let leader: string | null = null;
  let newest: ConsensusTimestamp | null = null;
  let end: ConsensusTimestamp | null = null;
  let progressMs = clock.now();
  let allMs = clock.now();
  let silentLooks = 0;
  let hasFailed = false;
  let hasProgress = false;

  const nextOf = (places: readonly NodePlace[]): NodePlace | undefined =>
    places[(places.findIndex(({ id }) => id === leader) + 1) % places.length];
  const isStuck = (now: number): boolean => now - progressMs >= STUCK_MS && now - allMs >= STUCK_MS;
  return {
    /** The place to list alone; null: all are listed, as when catching up. */
    choose(after: ConsensusTimestamp | null, places: readonly NodePlace[]): NodePlace | null {
      const now = clock.now();
      hasProgress = after !== end;
      end = after;
      if (hasProgress) {
        progressMs = now;
        silentLooks = 0;
      }
      // What was given and not taken: something is missing there, or not yet at the others.
      const isRefused = !hasProgress && newest !== null;
      if (!hasProgress && newest === null) silentLooks++;
      const current = places.find(({ id }) => id === leader);
      // Each node was asked once: what one listing does not show, all of them may, before time tells.
      const isRoundOver = !hasProgress && silentLooks === PATIENT_LOOKS + places.length;
      if (isRoundOver) silentLooks++;
      if (after === null || current === undefined || isRoundOver || isStuck(now)) {
        allMs = now;
        newest = null;
        return null;
      }
      const chosen =
        hasFailed || isRefused || silentLooks >= PATIENT_LOOKS ? (nextOf(places) ?? current) : current;
      hasFailed = false;
      newest = null;
      leader = chosen.id;
      return chosen;
    },
    /** Whether the ledger moved since the look before. */
    get hasProgress(): boolean {
      return hasProgress;
    },
    /** The newest that a place told in this look; null for nothing. */
    told(place: NodePlace, instant: ConsensusTimestamp | null): void {
      if (instant === null || (newest !== null && instant <= newest)) return;
      newest = instant;
      leader = place.id;
    },
    /** The place could not be listed. */
    failed(): void {
      hasFailed = true;
    },
  };
}

/** Chooses which node a look lists, so that following a network live does not list all of them. */
export type LiveNodeSelector = ReturnType<typeof createLiveLooks>;

/** A signature whose key is known, whether or not somebody listed it. */
interface KeyedSignature {
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
export type PendingSignatures = ReturnType<typeof createYoungSignatures>;

function isReadable(bytes: Uint8Array, key: string): boolean {
  try {
    parseSignatureFile(bytes, key);
    return true;
  } catch {
    return false;
  }
}
