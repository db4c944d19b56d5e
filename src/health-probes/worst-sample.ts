import { type ProbeSample, WORKING } from '../status/index.ts';

const ORDER: readonly ProbeSample['level'][] = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
];

/** The worst of some findings; without any the part works. */
export function worstSample(samples: readonly ProbeSample[]): ProbeSample {
  return samples.reduce(
    (worst, each) => (ORDER.indexOf(each.level) > ORDER.indexOf(worst.level) ? each : worst),
    WORKING,
  );
}
