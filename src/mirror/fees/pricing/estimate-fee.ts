import type { DecodedTransaction } from '../decode/decode-transaction.ts';
import { unknownTransactionType } from '../fee-errors.ts';
import type { FeeSchedule } from '../schedule/fee-schedule.ts';
import { UNIT_MULTIPLIER } from '../tinycents.ts';
import { type FeeAddition, priceAdditions } from './additions/fee-addition.ts';
import { findAdditions } from './additions/find-additions.ts';
import type { PossibleAdditions } from './additions/possible-additions.ts';
import type { CountedUnits } from './counted-units.ts';
import { type FeeStateSource, type KnownState, lookUpState } from './fee-state.ts';
import { highVolumeMultiplier as multiplierAt } from './high-volume.ts';
import { priceTransaction, type TransactionPrices } from './price-transaction.ts';
import { checkLists, checkSize } from './transaction-limits.ts';
import { priceOf } from './transaction-prices.ts';

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
  const { transaction, schedule, mode } = request;
  const price = transaction.member === null ? null : priceOf(transaction.member);
  checkSize(transaction, price);
  if (price === null) throw unknownTransactionType();
  checkLists(transaction, price);
  const definition = schedule.definitions.get(price.pricedAs ?? price.functionality);
  const own = schedule.definitions.get(price.functionality);
  if (definition === undefined || own === undefined) throw unknownTransactionType();

  const finish = (
    effectiveMode: FeeEstimateMode,
    state: KnownState | null,
    notes: readonly string[],
  ): FeeEstimate => {
    const { highVolumeMultiplier, network, node, service, total } = priceTransaction({
      schedule,
      definition,
      isExempt: price.exempt === true || definition.nodeNetworkFeeExempt,
      signatureCount: transaction.signatureCount,
      byteLength: transaction.byteLength,
      serviceUnits: price.count?.(transaction.body, state) ?? NO_UNITS,
      rawMultiplier:
        effectiveMode === 'STATE' && transaction.highVolume && price.highVolume === true
          ? multiplierAt(own.highVolumeRates, BigInt(request.highVolumeThrottle))
          : UNIT_MULTIPLIER,
    });
    return { highVolumeMultiplier, network, node, service, total, additions: NO_ADDITIONS, notes };
  };
  if (mode === 'INTRINSIC') return finish(mode, null, NO_NOTES);
  const possible = price.additions?.(transaction.body);
  if (price.stateNeeds === undefined) {
    const estimate = finish(mode, null, NO_NOTES);
    return possible === undefined ? estimate : withAdditions(estimate, possible, request);
  }
  const needs = price.stateNeeds(transaction.body);
  return lookUpState(needs, request.state, request.reportFault, request.asked).then(({ known, missing }) => {
    if (known === undefined) return finish('INTRINSIC', null, missing.map(noteOfFallback));
    const estimate = finish('STATE', known, NO_NOTES);
    return possible === undefined ? estimate : withAdditions(estimate, possible, request);
  });
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
