import type { IngestState } from '../mirror/ingest/report/ingest-state.ts';
import { type HealthProbe, type ProbeSample, worstSample } from '../status/index.ts';
import { type Limits, levelAbove } from '../status/monitor/thresholds.ts';
import type { Clock } from '../values/clock.ts';
import { NANOS_PER_SECOND } from '../values/consensus-timestamp.ts';

interface LedgerProbeParts {
  /** The sources that the server follows. */
  readonly states: () => readonly IngestState[];
  /** What a stored unit must have proved at least. */
  readonly required: 'signatures' | 'chain' | 'none';
  readonly clock: Clock;
  /** Of the seconds that the ledger may lie behind. */
  readonly limits: Limits;
}

const STRENGTH: Readonly<Record<LedgerProbeParts['required'], number>> = { none: 0, chain: 1, signatures: 2 };

/**
 * How far the imported ledger lies behind, whether it has a gap, and whether it proves what is asked of it.
 *
 * @see contracts/status.md section 7
 */
export function createFreshnessProbe({ states, required, clock, limits }: LedgerProbeParts): HealthProbe {
  return {
    name: 'mirror-freshness',
    async check() {
      const followed = states();
      const newest = followed.reduce(
        (latest, { lastConsensusTimestamp: last }) => (last !== null && last > latest ? last : latest),
        0n,
      );
      if (newest === 0n) return { level: 'major_outage', detail: 'the ledger is empty' };
      const lag = Math.max(0, clock.now() / 1000 - Number(newest / NANOS_PER_SECOND));
      const level = levelAbove(lag, limits);
      return worstSample([
        { level, detail: `the ledger is ${Math.round(lag)} s behind` },
        // One of several sources may stop where another goes on.
        ...(level === 'operational' && followed.some(goesOn) ? [] : followed.flatMap(gapOf)),
        ...followed.flatMap((state) => weaknessOf(state, required)),
      ]);
    },
  };
}

function goesOn({ gap, state }: IngestState): boolean {
  return gap === null && state !== 'failed';
}

function gapOf({ gap, state }: IngestState): readonly ProbeSample[] {
  if (gap === null) return [];
  const reason = state === 'fork' ? 'the source has a different ledger before' : 'the import stops before';
  return [{ level: 'partial_outage', detail: `${reason} ${gap.name}` }];
}

function weaknessOf(
  { verification }: IngestState,
  required: LedgerProbeParts['required'],
): readonly ProbeSample[] {
  if (verification === null || STRENGTH[verification] >= STRENGTH[required]) return [];
  return [
    { level: 'degraded_performance', detail: `the newest unit has only proof level "${verification}"` },
  ];
}

/** Whether the sources can be read. @see contracts/status.md section 7 */
export function createSourceProbe({ states }: Pick<LedgerProbeParts, 'states'>): HealthProbe {
  return {
    name: 'upstream-records',
    async check() {
      const all = states();
      const failed = all.filter(({ state }) => state === 'failed').length;
      if (failed === 0) return { level: 'operational', detail: null };
      const level = failed === all.length ? 'major_outage' : 'partial_outage';
      return { level, detail: `${failed} of ${all.length} sources cannot be imported from` };
    },
  };
}
