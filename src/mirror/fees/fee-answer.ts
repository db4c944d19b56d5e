import { printTimestamp } from '../../values/consensus-timestamp.ts';
import type { FeeAddition } from './additions/fee-addition.ts';
import type { FeeEstimate } from './estimate-fee.ts';
import type { ScheduleOrigin } from './fee-schedule-source.ts';
import type { ChargedExtra, FeePart } from './price-transaction.ts';

/**
 * The answer as JSON text, amounts in tinycents as exact integers.
 *
 * Printed by hand: a general printer takes as long as decoding and pricing together.
 *
 * @see contracts/fees-estimate.md section 2
 */
export function printFeeAnswer(estimate: FeeEstimate): string {
  const { additions, highVolumeMultiplier, network, node, notes, service, total } = estimate;
  return (
    `{"high_volume_multiplier":${highVolumeMultiplier},` +
    `"network":{"multiplier":${network.multiplier},"subtotal":${network.subtotal}},` +
    `"node":${printPart(node)},"service":${printPart(service)},"total":${total}` +
    `${additions.length === 0 ? '' : `,"additions":[${additions.map(printAddition).join(',')}]`}` +
    `${notes.length === 0 ? '' : `,"notes":${JSON.stringify(notes)}`}}`
  );
}

function printPart({ base, extras }: FeePart): string {
  return `{"base":${base},"extras":[${extras.length === 0 ? '' : extras.map(printExtra).join(',')}]}`;
}

/** Names are those of the schedule; a schedule on file may spell one with anything. */
function printExtra({ charged, count, feePerUnit, included, name, subtotal }: ChargedExtra): string {
  return (
    `{"name":${JSON.stringify(name)},"included":${included},"count":${count},"charged":${charged},` +
    `"fee_per_unit":${feePerUnit},"subtotal":${subtotal}}`
  );
}

function printAddition({ count, feePerUnit, name, subtotal }: FeeAddition): string {
  return `{"name":"${name}","count":${count},"fee_per_unit":${feePerUnit},"subtotal":${subtotal}}`;
}

/** Value of the header `X-Fee-Schedule`. @see contracts/fees-estimate.md section 9.1 */
export function printScheduleOrigin(origin: ScheduleOrigin): string {
  return typeof origin === 'bigint' ? printTimestamp(origin) : origin;
}
