import { printTimestamp } from '../../values/consensus-timestamp.ts';
import type { FeeEstimate } from './estimate-fee.ts';
import type { ScheduleOrigin } from './fee-schedule-source.ts';
import type { ChargedExtra, FeePart } from './price-transaction.ts';

/** The members of the answer, amounts in tinycents as exact integers. @see contracts/fees-estimate.md section 2 */
export function toFeeAnswer(estimate: FeeEstimate) {
  return {
    high_volume_multiplier: estimate.highVolumeMultiplier,
    network: estimate.network,
    node: toPart(estimate.node),
    service: toPart(estimate.service),
    total: estimate.total,
    ...(estimate.notes.length === 0 ? {} : { notes: estimate.notes }),
  };
}

function toPart(part: FeePart) {
  return { base: part.base, extras: part.extras.map(toExtra) };
}

function toExtra(extra: ChargedExtra) {
  return {
    name: extra.name,
    included: extra.included,
    count: extra.count,
    charged: extra.charged,
    fee_per_unit: extra.feePerUnit,
    subtotal: extra.subtotal,
  };
}

/** Value of the header `X-Fee-Schedule`. @see contracts/fees-estimate.md section 9.1 */
export function printScheduleOrigin(origin: ScheduleOrigin): string {
  return typeof origin === 'bigint' ? printTimestamp(origin) : origin;
}
