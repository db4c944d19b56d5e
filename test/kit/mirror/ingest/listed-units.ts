import type { StreamSource } from '../../../../src/mirror/ingest/units/stream-source.ts';
import type { StreamUnit } from '../../../../src/mirror/ingest/units/stream-unit.ts';
import type { ConsensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';

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
