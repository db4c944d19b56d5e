import { type ComponentStatus, severity, worstStatus } from '../rules/component-status.ts';

/** What a probe's samples have made of a component's monitor layer so far. */
export interface SmoothedStatus {
  readonly status: ComponentStatus;
  /** UTC milliseconds of the last change that was seen here; null when there was none since the start. */
  readonly changedAt: number | null;
  /** The newest samples, the newest last; no more than a rule looks at. */
  readonly samples: readonly ComponentStatus[];
}

const WORSEN_SAMPLES = 3;
const IMPROVE_SAMPLES = 8;
const MIN_DWELL_MS = 60_000;

/** The beginning of a window: the status as it was stored, no samples. */
export function startSmoothing(status: ComponentStatus): SmoothedStatus {
  return { status, changedAt: null, samples: [] };
}

/**
 * Takes one more sample into account.
 *
 * Worse after three samples in a row that all are, at the mildest of them; better after eight, at the worst of
 * them, and not within a minute of the last change. So one bad or good sample never shows.
 *
 * @param at instant of the sample, UTC milliseconds.
 * @see contracts/status.md section 7, Hysteresis
 */
export function smoothStatus(before: SmoothedStatus, sample: ComponentStatus, at: number): SmoothedStatus {
  const samples = [...before.samples, sample].slice(-IMPROVE_SAMPLES);
  const { status, changedAt } = before;
  const current = severity(status);

  const recent = samples.slice(-WORSEN_SAMPLES);
  if (recent.length === WORSEN_SAMPLES && recent.every((each) => severity(each) > current)) {
    return { status: mildest(recent), changedAt: at, samples };
  }
  const isSettled = changedAt === null || at - changedAt >= MIN_DWELL_MS;
  if (isSettled && samples.length === IMPROVE_SAMPLES && samples.every((each) => severity(each) < current)) {
    return { status: worstStatus(samples), changedAt: at, samples };
  }
  return { status, changedAt, samples };
}

function mildest(samples: readonly ComponentStatus[]): ComponentStatus {
  return samples.reduce((mild, each) => (severity(each) < severity(mild) ? each : mild));
}
