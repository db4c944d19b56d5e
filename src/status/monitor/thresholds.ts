import { isObject } from '../rules/input-members.ts';
import type { ProbeLevel } from './health-probe.ts';

type Level = Exclude<ProbeLevel, 'operational'>;

/** For each level the value above which it holds; an absent level is never found. */
export type Limits = Readonly<Partial<Record<Level, number>>>;

/**
 * Everything that probes measure, with the limits of each.
 *
 * @see contracts/status.md section 7, table of components
 */
export const DEFAULT_THRESHOLDS = {
  /** Seconds that the oldest job waits. */
  queue: { degraded_performance: 60, partial_outage: 300, major_outage: 1800 },
  /** Seconds that the ledger lies behind. */
  lag: { degraded_performance: 15, partial_outage: 60, major_outage: 600 },
  /** Milliseconds that a small write and read of the database take. */
  database: { degraded_performance: 250, partial_outage: 2000 },
  /** Seconds that somebody else has held the write lock. */
  lock: { degraded_performance: 60, partial_outage: 300 },
  /** Percent of the disk that is used. */
  disk: { degraded_performance: 85, partial_outage: 95, major_outage: 99 },
  /** Percent of the calls of an API that failed; from this value on, unlike the others. */
  errors: { degraded_performance: 2, partial_outage: 10, major_outage: 50 },
  /** Percent of the calls that took more than a second. */
  slow: { degraded_performance: 5 },
  /** Milliseconds of the probe's own request to an API. */
  request: { degraded_performance: 1000 },
  /** Milliseconds of a fee estimate. */
  estimate: { degraded_performance: 500 },
} as const satisfies Readonly<Record<string, Limits>>;

export type Thresholds = Readonly<Record<keyof typeof DEFAULT_THRESHOLDS, Limits>>;

const ORDER: readonly Level[] = ['major_outage', 'partial_outage', 'degraded_performance'];

/**
 * Reads limits that replace default ones: a JSON object such as `{"disk":{"degraded_performance":95}}`; null
 * takes a level away.
 *
 * @param onProblem is told what is wrong; then the rest still counts.
 */
export function parseThresholds(json: string, onProblem: (problem: string) => void): Thresholds {
  const given = readObject(json);
  if (given === null) onProblem('is not a JSON object');
  const known = Object.keys(DEFAULT_THRESHOLDS);
  for (const name of Object.keys(given ?? {})) {
    if (!known.includes(name)) onProblem(`"${name}" is not one of ${known.join(', ')}`);
  }
  const merged = Object.entries(DEFAULT_THRESHOLDS).map(([name, limits]) => [
    name,
    { ...limits, ...readLimits(name, given?.[name] ?? {}, onProblem) },
  ]);
  return Object.fromEntries(merged) as unknown as Thresholds;
}

function readLimits(name: string, given: unknown, onProblem: (problem: string) => void): Limits {
  const limits: [string, number][] = [];
  for (const [level, value] of Object.entries(isObject(given) ? given : { '': given })) {
    const isKnown = (ORDER as readonly string[]).includes(level);
    if (isKnown && value === null) limits.push([level, Number.POSITIVE_INFINITY]);
    else if (isKnown && typeof value === 'number' && value >= 0) limits.push([level, value]);
    else onProblem(`"${name}" must have numbers or null for ${ORDER.join(', ')}`);
  }
  return Object.fromEntries(limits);
}

function readObject(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    // JSON.parse throws only for text that is no JSON.
    return null;
  }
}

/** The worst level whose limit a value exceeds; operational when it exceeds none. */
export function levelAbove(value: number, limits: Limits): ProbeLevel {
  return ORDER.find((level) => value > (limits[level] ?? Number.POSITIVE_INFINITY)) ?? 'operational';
}

/** The worst level whose limit a value reaches. */
export function levelFrom(value: number, limits: Limits): ProbeLevel {
  return ORDER.find((level) => value >= (limits[level] ?? Number.POSITIVE_INFINITY)) ?? 'operational';
}
