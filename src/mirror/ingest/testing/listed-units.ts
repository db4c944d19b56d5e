import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { StreamSource } from '../units/stream-source.ts';
import type { StreamUnit } from '../units/stream-unit.ts';

/** All units that a source has now, of all its pages. */
export async function listed<Unit extends StreamUnit>(
  source: StreamSource<Unit>,
  after: ConsensusTimestamp | null = null,
): Promise<readonly Unit[]> {
  const { pages } = await source.list(
    after === null ? null : { time: after, blockNumber: null, isNative: false },
  );
  const units: Unit[] = [];
  for await (const page of pages) units.push(...page);
  return units;
}
