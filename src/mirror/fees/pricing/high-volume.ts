import type { HighVolumeRates } from '../schedule/fee-schedule.ts';
import { UNIT_MULTIPLIER } from '../tinycents.ts';

const MAX_BASIS_POINTS = 10_000n;

/**
 * The raw price multiplier (thousandths) at a utilization of the high-volume throttle.
 *
 * @param rates null when the schedule gives none: 1000.
 * @param utilization basis points; limited to 0 … 10000.
 * @returns at least 1000, at most the schedule's maximum.
 * @example between (40, 4000) and (60, 8000) a utilization of 47 gives 5400
 * @see contracts/fees-estimate.md section 6
 */
export function highVolumeMultiplier(rates: HighVolumeRates | null, utilization: bigint): bigint {
  if (rates === null) return UNIT_MULTIPLIER;
  const max = largest(rates.maxMultiplier, UNIT_MULTIPLIER);
  const at = smallest(largest(utilization, 0n), MAX_BASIS_POINTS);
  const raw =
    rates.points.length === 0
      ? UNIT_MULTIPLIER + ((max - UNIT_MULTIPLIER) * at) / MAX_BASIS_POINTS
      : onCurve(rates.points, at);
  return smallest(largest(raw, UNIT_MULTIPLIER), max);
}

/** Several points may share a utilization: the last of them begins the piece above, the first ends the one below. */
function onCurve(points: HighVolumeRates['points'], at: bigint): bigint {
  const lower = points.findLast((point) => point.utilization <= at);
  const upper = points.find((point) => point.utilization >= at);
  if (lower === undefined) return upper === undefined ? UNIT_MULTIPLIER : multiplierOf(upper);
  if (upper === undefined) return multiplierOf(lower);
  if (lower.utilization === upper.utilization) return multiplierOf(upper);
  const rise = multiplierOf(upper) - multiplierOf(lower);
  // bigint division truncates toward zero, as on ledger.
  return multiplierOf(lower) + (rise * (at - lower.utilization)) / (upper.utilization - lower.utilization);
}

function multiplierOf(point: HighVolumeRates['points'][number]): bigint {
  return largest(point.multiplier, UNIT_MULTIPLIER);
}

function largest(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function smallest(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
