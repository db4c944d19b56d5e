import type { Clock } from '../../../../values/clock.ts';
import type { ConsensusTimestamp } from '../../../../values/consensus-timestamp.ts';
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
export type LiveLooks = ReturnType<typeof createLiveLooks>;
