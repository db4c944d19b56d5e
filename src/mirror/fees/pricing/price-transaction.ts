import type { ExtraReference, FeeDefinition, FeeSchedule } from '../schedule/fee-schedule.ts';
import { addTinycents, multiplyTinycents, scaleTinycents, UNIT_MULTIPLIER } from '../tinycents.ts';
import type { CountedUnits } from './count-transfers.ts';

/** Units beyond those that a base fee covers. */
export interface ChargedExtra {
  readonly name: string;
  readonly included: bigint;
  readonly count: number;
  readonly charged: bigint;
  /** Tinycents. */
  readonly feePerUnit: bigint;
  /** Tinycents. */
  readonly subtotal: bigint;
}

/** Base fee and charged extras of the node or service part, in tinycents. */
export interface FeePart {
  readonly base: bigint;
  readonly extras: readonly ChargedExtra[];
}

/** What was found in a transaction, and the prices that hold for it. */
interface CountedTransaction {
  readonly schedule: FeeSchedule;
  readonly definition: FeeDefinition;
  /** True: neither node nor network fee. */
  readonly isExempt: boolean;
  readonly signatureCount: number;
  readonly byteLength: number;
  /** In the order of the answer. */
  readonly serviceUnits: readonly CountedUnits[];
  /** Thousandths, at least 1000. */
  readonly rawMultiplier: bigint;
}

const NO_EXTRAS: readonly ChargedExtra[] = [];

/**
 * Multiplies counts by prices.
 *
 * The node part lists extras in the schedule's order, the service part in the order they were counted.
 *
 * @see contracts/fees-estimate.md sections 3 and 6
 */
export function priceTransaction(of: CountedTransaction) {
  const { definition, isExempt, rawMultiplier, schedule } = of;
  const node: FeePart = {
    base: isExempt ? 0n : schedule.node.baseFee,
    extras: isExempt ? NO_EXTRAS : chargeNode(of),
  };
  const service: FeePart = { base: definition.baseFee, extras: chargeService(of) };
  // Totals are scaled as a whole: adding scaled parts would round more than once.
  const nodeTotal = scaleTinycents(totalOf(node), rawMultiplier);
  const serviceTotal = scaleTinycents(totalOf(service), rawMultiplier);
  const multiplier = isExempt ? 0n : schedule.networkMultiplier;
  const subtotal = multiplyTinycents(nodeTotal, multiplier);
  return {
    /** Whole part of the multiplier that was applied, at least 1. */
    highVolumeMultiplier: rawMultiplier === UNIT_MULTIPLIER ? 1n : rawMultiplier / UNIT_MULTIPLIER,
    network: { multiplier, subtotal },
    node: scalePart(node, rawMultiplier),
    service: scalePart(service, rawMultiplier),
    total: addTinycents(addTinycents(nodeTotal, subtotal), serviceTotal),
  };
}

/** Amounts in tinycents. @see contracts/fees-estimate.md section 2 */
export type TransactionPrices = Readonly<ReturnType<typeof priceTransaction>>;

/** Node and network fee of a small transaction with one signature. */
export function networkAndNodeFee({ networkMultiplier, node }: FeeSchedule): bigint {
  return multiplyTinycents(node.baseFee, 1n + networkMultiplier);
}

function chargeNode({ byteLength, schedule, signatureCount }: CountedTransaction): readonly ChargedExtra[] {
  const extras: ChargedExtra[] = [];
  for (const reference of schedule.node.extras) {
    if (reference.name === 'SIGNATURES') charge(extras, schedule, reference, signatureCount);
    else if (reference.name === 'PROCESSING_BYTES') charge(extras, schedule, reference, byteLength);
  }
  return extras;
}

function chargeService({ definition, schedule, serviceUnits }: CountedTransaction): readonly ChargedExtra[] {
  const extras: ChargedExtra[] = [];
  for (const { name, count } of serviceUnits) {
    const reference = count === 0 ? undefined : definition.extras.find((extra) => extra.name === name);
    if (reference !== undefined) charge(extras, schedule, reference, count);
  }
  return extras;
}

function charge(
  extras: ChargedExtra[],
  schedule: FeeSchedule,
  { includedCount, name }: ExtraReference,
  count: number,
): void {
  // Numbers and bigints compare exactly; most counts are covered and need no further one.
  if (count <= includedCount) return;
  const charged = BigInt(count) - includedCount;
  const feePerUnit = schedule.extraFees.get(name) ?? 0n;
  extras.push({
    name,
    included: includedCount,
    count,
    charged,
    feePerUnit,
    subtotal: multiplyTinycents(charged, feePerUnit),
  });
}

function totalOf({ base, extras }: FeePart): bigint {
  let total = base;
  for (const { subtotal } of extras) total = addTinycents(total, subtotal);
  return total;
}

function scalePart(part: FeePart, rawMultiplier: bigint): FeePart {
  if (rawMultiplier === UNIT_MULTIPLIER) return part;
  return {
    base: scaleTinycents(part.base, rawMultiplier),
    extras: part.extras.map((extra) => {
      const feePerUnit = scaleTinycents(extra.feePerUnit, rawMultiplier);
      return { ...extra, feePerUnit, subtotal: multiplyTinycents(extra.charged, feePerUnit) };
    }),
  };
}
