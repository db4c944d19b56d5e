import type { ProbeSample } from '../status/index.ts';

type Level = ProbeSample['level'];

/** Values from which on a level holds, worst first. */
export type Thresholds = readonly (readonly [from: number, level: Level])[];

/**
 * The worst level whose threshold a value exceeds; operational when it exceeds none.
 *
 * @see contracts/status.md section 7, table of components
 */
export function levelAbove(value: number, thresholds: Thresholds): Level {
  return thresholds.find(([limit]) => value > limit)?.[1] ?? 'operational';
}

const ORDER: readonly Level[] = ['operational', 'degraded_performance', 'partial_outage', 'major_outage'];

/** The worst of some findings; without any the part works. */
export function worstSample(samples: readonly ProbeSample[]): ProbeSample {
  return samples.reduce(
    (worst, each) => (ORDER.indexOf(each.level) > ORDER.indexOf(worst.level) ? each : worst),
    {
      level: 'operational',
      detail: null,
    },
  );
}
