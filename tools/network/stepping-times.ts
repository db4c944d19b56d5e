import { type ConsensusTimestamp, consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { groupBy } from '../../src/values/group-by.ts';
import type { LedgerEvent } from './ledger-item.ts';
import type { RandomSource } from './seeded-random.ts';

/** One transaction in so many moves far; the others step back and forth inside their unit. */
const FAR = 5;
/** Units that the far ones move. */
const MAX_UNITS = 3;

/**
 * Gives the events of unit after unit times that step back and overlap with those of other units, none twice. Events
 * keep their order and their distance to their parent; the first unit keeps its times, and none is before them.
 *
 * @returns of the events of a unit; `keepsFirst` for one whose first event names it, such as a record file
 *
 * @see contracts/streams.md section 11: times are data
 */
export function steppingTimes(
  start: ConsensusTimestamp,
  period: bigint,
  random: RandomSource,
): (events: readonly LedgerEvent[], keepsFirst: boolean) => readonly LedgerEvent[] {
  const used = new Set<bigint>();
  const draw = (): bigint => {
    const spread = random.below(FAR) === 0 ? period * BigInt(MAX_UNITS) : period / 4n;
    const far = (spread * BigInt(random.below(2_000_001) - 1_000_000)) / 1_000_000n;
    // Off the times that are kept, which are whole microseconds and a few nanoseconds.
    return far - (far % 1000n) + BigInt(100 + random.below(800));
  };
  return (events, keepsFirst) => {
    if (used.size === 0) {
      for (const { consensus } of events) used.add(consensus);
      return events;
    }
    const families = groupBy(events, ({ payer, validStart }) => `${payer} ${validStart}`);
    const shifts = new Map<readonly LedgerEvent[], bigint>();
    for (const family of families.values()) {
      let shift = 0n;
      const isFree = ({ consensus }: LedgerEvent) =>
        consensus + shift > start && !used.has(consensus + shift);
      if (!keepsFirst || shifts.size > 0) {
        do shift = draw();
        while (!family.every(isFree));
      }
      for (const { consensus } of family) used.add(consensus + shift);
      shifts.set(family, shift);
    }
    return events.map((event) => {
      const shift = shifts.get(families.get(`${event.payer} ${event.validStart}`) ?? []) ?? 0n;
      return {
        ...event,
        consensus: consensusTimestamp(event.consensus + shift),
        ...(event.parent === undefined ? {} : { parent: consensusTimestamp(event.parent + shift) }),
      };
    });
  };
}
