import type { CountedUnits } from './counted-units.ts';
import type { DecodedTransaction } from './decode-transaction.ts';
import { tooManyEntries, transactionTooLarge, unknownTransactionType } from './fee-errors.ts';
import type { ExtraReference, FeeDefinition, FeeSchedule } from './fee-schedule.ts';
import { type FeeStateSource, type KnownState, lookUpState } from './fee-state.ts';
import { highVolumeMultiplier } from './high-volume.ts';
import { addTinycents, multiplyTinycents, scaleTinycents, UNIT_MULTIPLIER } from './tinycents.ts';
import { priceOf, type TransactionPrice } from './transaction-prices.ts';

export type FeeEstimateMode = 'INTRINSIC' | 'STATE';

/** Units beyond those that a base fee covers. */
export interface ChargedExtra {
  readonly name: string;
  readonly included: bigint;
  readonly count: bigint;
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

/** Amounts in tinycents. @see contracts/fees-estimate.md section 2 */
export interface FeeEstimate {
  /** Whole part of the multiplier that was applied, at least 1. */
  readonly highVolumeMultiplier: bigint;
  readonly network: { readonly multiplier: bigint; readonly subtotal: bigint };
  readonly node: FeePart;
  readonly service: FeePart;
  readonly total: bigint;
  /** Sentences for people; empty in the normal case. */
  readonly notes: readonly string[];
}

export interface FeeEstimateRequest {
  readonly transaction: DecodedTransaction;
  readonly mode: FeeEstimateMode;
  /** Assumed utilization of the high-volume throttle in basis points, 0 to 10000. */
  readonly highVolumeThrottle: number;
  readonly schedule: FeeSchedule;
  readonly state: FeeStateSource;
  /** Told of each lookup that failed; the estimate goes on without state. */
  readonly reportFault: (error: unknown, entity: string) => void;
}

/** @see contracts/fees-estimate.md section 7 */
const MAX_TRANSACTION_BYTES = 6144;
const MAX_SIGNATURE_PAIRS = 100;
const MAX_LIST_LENGTH = 10;

/**
 * Estimates the fee of a transaction.
 *
 * In STATE mode, when state that the price depends on is not available, the whole estimate is made from the bytes
 * alone and a note names what was missing.
 *
 * @throws UnpriceableTransactionError for an unknown type, a broken limit or too many lookups.
 * @see contracts/fees-estimate.md sections 3 to 7
 */
export async function estimateFee(request: FeeEstimateRequest): Promise<FeeEstimate> {
  const { transaction, schedule, mode } = request;
  const price = transaction.member === null ? null : priceOf(transaction.member);
  checkSize(transaction, price);
  if (price === null) throw unknownTransactionType();
  checkLists(transaction, price);
  const definition = schedule.definitions.get(price.pricedAs ?? price.functionality);
  const own = schedule.definitions.get(price.functionality);
  if (definition === undefined || own === undefined) throw unknownTransactionType();

  let state: KnownState | null = null;
  let notes: readonly string[] = [];
  let effectiveMode = mode;
  if (mode === 'STATE' && price.stateNeeds !== undefined) {
    const needs = price.stateNeeds(transaction.body);
    const { known, missing } = await lookUpState(needs, request.state, request.reportFault);
    if (known !== undefined) state = known;
    else {
      effectiveMode = 'INTRINSIC';
      notes = missing.map((entity) => `State of ${entity} is not available: estimated in INTRINSIC mode`);
    }
  }
  const isHighVolume = effectiveMode === 'STATE' && transaction.highVolume && price.highVolume === true;
  return compute({
    schedule,
    definition,
    exempt: price.exempt === true || definition.nodeNetworkFeeExempt,
    nodeUnits: [
      { name: 'SIGNATURES', count: BigInt(transaction.signatureCount) },
      { name: 'PROCESSING_BYTES', count: BigInt(transaction.byteLength) },
    ],
    serviceUnits: price.count?.(transaction.body, state) ?? [],
    rawMultiplier: isHighVolume
      ? highVolumeMultiplier(own.highVolumeRates, BigInt(request.highVolumeThrottle))
      : UNIT_MULTIPLIER,
    notes,
  });
}

interface Computation {
  readonly schedule: FeeSchedule;
  readonly definition: FeeDefinition;
  readonly exempt: boolean;
  readonly nodeUnits: readonly CountedUnits[];
  readonly serviceUnits: readonly CountedUnits[];
  readonly rawMultiplier: bigint;
  readonly notes: readonly string[];
}

function compute(of: Computation): FeeEstimate {
  const { schedule, definition, rawMultiplier } = of;
  // The node part lists extras in the schedule's order, the service part in the order they were counted.
  const nodeExtras = of.exempt ? [] : inScheduleOrder(schedule.node.extras, of.nodeUnits);
  const node = { base: of.exempt ? 0n : schedule.node.baseFee, extras: charge(schedule, nodeExtras) };
  const service = {
    base: definition.baseFee,
    extras: charge(
      schedule,
      of.serviceUnits.flatMap((counted) => {
        const reference = definition.extras.find(({ name }) => name === counted.name);
        return reference === undefined ? [] : [{ ...reference, count: counted.count }];
      }),
    ),
  };
  // Totals are scaled as a whole: adding scaled parts would round more than once.
  const nodeTotal = scaleTinycents(totalOf(node), rawMultiplier);
  const serviceTotal = scaleTinycents(totalOf(service), rawMultiplier);
  const multiplier = of.exempt ? 0n : schedule.networkMultiplier;
  const subtotal = multiplyTinycents(nodeTotal, multiplier);
  return {
    highVolumeMultiplier: rawMultiplier / UNIT_MULTIPLIER,
    network: { multiplier, subtotal },
    node: scalePart(node, rawMultiplier),
    service: scalePart(service, rawMultiplier),
    total: addTinycents(addTinycents(nodeTotal, subtotal), serviceTotal),
    notes: of.notes,
  };
}

type CountedReference = ExtraReference & { readonly count: bigint };

function inScheduleOrder(
  references: readonly ExtraReference[],
  counted: readonly CountedUnits[],
): readonly CountedReference[] {
  return references.map((reference) => ({
    ...reference,
    count: counted.find(({ name }) => name === reference.name)?.count ?? 0n,
  }));
}

function charge(schedule: FeeSchedule, counted: readonly CountedReference[]): readonly ChargedExtra[] {
  const extras: ChargedExtra[] = [];
  for (const { name, includedCount, count } of counted) {
    if (count <= includedCount) continue;
    const charged = count - includedCount;
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
  return extras;
}

function totalOf(part: FeePart): bigint {
  return part.extras.reduce((sum, extra) => addTinycents(sum, extra.subtotal), part.base);
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

function checkSize(transaction: DecodedTransaction, price: TransactionPrice<unknown> | null): void {
  const maximum = price?.maxBytes ?? MAX_TRANSACTION_BYTES;
  if (transaction.byteLength > maximum) throw transactionTooLarge(transaction.byteLength, maximum);
  const { signatureCount } = transaction;
  if (signatureCount > MAX_SIGNATURE_PAIRS) {
    throw tooManyEntries(signatureCount, 'signature pairs', MAX_SIGNATURE_PAIRS);
  }
}

function checkLists(transaction: DecodedTransaction, price: TransactionPrice<unknown>): void {
  for (const [noun, length] of price.listLengths?.(transaction.body) ?? []) {
    if (length > MAX_LIST_LENGTH) throw tooManyEntries(length, noun, MAX_LIST_LENGTH);
  }
}
