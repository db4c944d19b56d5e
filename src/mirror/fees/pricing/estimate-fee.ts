import type { DecodedTransaction } from '../decode/decode-transaction.ts';
import { UnpriceableTransactionError } from '../fee-errors.ts';
import type { FeeDefinition, FeeSchedule, HighVolumeRates } from '../schedule/fee-schedule.ts';
import { UNIT_MULTIPLIER } from '../tinycents.ts';
import {
  type FeeAddition,
  findAdditions,
  type PossibleAdditions,
  priceAdditions,
} from './additions/fee-addition.ts';
import type { CountedUnits } from './count-transfers.ts';
import { type FeeStateSource, type KnownState, lookUpState, type StateNeeds } from './fee-state.ts';
import { priceTransaction, type TransactionPrices } from './price-transaction.ts';
import { checkLists, checkSize } from './transaction-limits.ts';
import { priceOf, type TransactionPrice } from './transaction-prices.ts';

export type FeeEstimateMode = 'INTRINSIC' | 'STATE';

/** Prices of a transaction with what there is to say about them. */
export interface FeeEstimate extends TransactionPrices {
  /** What the ledger's state shows beside the total; empty in INTRINSIC mode and after a fallback. */
  readonly additions: readonly FeeAddition[];
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
  /** Told of each lookup that failed; the estimate continues without state. */
  readonly reportFault: (error: unknown, entity: string) => void;
  /** Entities asked about so far, where several transactions share one limit. Default: none. */
  readonly asked?: Set<string>;
}

const NO_ADDITIONS: readonly FeeAddition[] = [];
const NO_NOTES: readonly string[] = [];
const NO_UNITS: readonly CountedUnits[] = [];

/**
 * Estimates the fee of a transaction.
 *
 * In STATE mode, when state that the price depends on is not available, the whole estimate is made from the bytes
 * alone and a note names what was missing. Without a need of state there is nothing to wait for.
 *
 * @throws UnpriceableTransactionError for an unknown type, a broken limit or too many lookups.
 * @see contracts/fees-estimate.md sections 3 to 7
 */
export function estimateFee(request: FeeEstimateRequest): FeeEstimate | Promise<FeeEstimate> {
  const found = findPrice(request);
  const { price } = found;
  const { body } = request.transaction;
  if (request.mode === 'INTRINSIC') return estimateFrom(request, found, 'INTRINSIC', null, NO_NOTES);
  const possible = price.additions?.(body);
  if (price.stateNeeds !== undefined)
    return estimateFromState(request, found, price.stateNeeds(body), possible);
  const estimate = estimateFrom(request, found, 'STATE', null, NO_NOTES);
  return possible === undefined ? estimate : withAdditions(estimate, possible, request);
}

/** How a transaction is priced. */
interface FoundPrice {
  readonly price: TransactionPrice<unknown>;
  /** Gives base fee and extras. */
  readonly definition: FeeDefinition;
  /** Of the type itself, which gives its high-volume rates. */
  readonly own: FeeDefinition;
}

/** @throws UnpriceableTransactionError for an unknown type or a broken limit. */
function findPrice({ schedule, transaction }: FeeEstimateRequest): FoundPrice {
  const price = transaction.member === null ? null : priceOf(transaction.member);
  checkSize(transaction, price);
  if (price === null) throw unknownType();
  checkLists(transaction, price);
  const definition = schedule.definitions.get(price.pricedAs ?? price.functionality);
  const own = schedule.definitions.get(price.functionality);
  if (definition === undefined || own === undefined) throw unknownType();
  return { price, definition, own };
}

function unknownType(): UnpriceableTransactionError {
  return new UnpriceableTransactionError('unknown_transaction_type', 'Unknown transaction type');
}

async function estimateFromState(
  request: FeeEstimateRequest,
  found: FoundPrice,
  needs: StateNeeds,
  possible: PossibleAdditions | undefined,
): Promise<FeeEstimate> {
  const { known, missing } = await lookUpState(needs, request.state, request.reportFault, request.asked);
  if (known === undefined)
    return estimateFrom(request, found, 'INTRINSIC', null, missing.map(noteOfFallback));
  const estimate = estimateFrom(request, found, 'STATE', known, NO_NOTES);
  return possible === undefined ? estimate : withAdditions(estimate, possible, request);
}

/** @param state null for an estimate from the bytes alone. */
function estimateFrom(
  { highVolumeThrottle, schedule, transaction }: FeeEstimateRequest,
  { definition, own, price }: FoundPrice,
  mode: FeeEstimateMode,
  state: KnownState | null,
  notes: readonly string[],
): FeeEstimate {
  const {
    highVolumeMultiplier: multiplier,
    network,
    node,
    service,
    total,
  } = priceTransaction({
    schedule,
    definition,
    isExempt: price.exempt === true || definition.nodeNetworkFeeExempt,
    signatureCount: transaction.signatureCount,
    byteLength: transaction.byteLength,
    serviceUnits: price.count?.(transaction.body, state) ?? NO_UNITS,
    rawMultiplier:
      mode === 'STATE' && transaction.highVolume && price.highVolume === true
        ? highVolumeMultiplier(own.highVolumeRates, BigInt(highVolumeThrottle))
        : UNIT_MULTIPLIER,
  });
  return { highVolumeMultiplier: multiplier, network, node, service, total, additions: NO_ADDITIONS, notes };
}

async function withAdditions(
  estimate: FeeEstimate,
  possible: PossibleAdditions,
  { reportFault, schedule, state }: FeeEstimateRequest,
): Promise<FeeEstimate> {
  try {
    return { ...estimate, additions: priceAdditions(await findAdditions(possible, state), schedule) };
  } catch (error) {
    // The price stands without them: they are a hint, and the store may be back at the next request.
    reportFault(error, 'accounts');
    return estimate;
  }
}

function noteOfFallback(entity: string): string {
  return `State of ${entity} is not available: estimated in INTRINSIC mode`;
}

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
