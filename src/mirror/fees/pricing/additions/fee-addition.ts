import type { FeeSchedule } from '../../schedule/fee-schedule.ts';
import { addTinycents, multiplyTinycents } from '../../tinycents.ts';
import { networkAndNodeFee } from '../price-transaction.ts';

/** Something that the network may charge beside the estimate's total. Amounts in tinycents. */
export interface FeeAddition {
  /** A name of the schedule, or `CREATED_ACCOUNTS`. */
  readonly name: string;
  readonly count: bigint;
  readonly feePerUnit: bigint;
  readonly subtotal: bigint;
}

/** How many units of each addition were found. */
export interface AdditionCounts {
  readonly gas: bigint;
  readonly createdAccounts: number;
  readonly airdrops: number;
  readonly associations: number;
}

/**
 * Prices what was found; additions without units, and those that the schedule has no price for, are left out.
 *
 * @see contracts/fees-estimate.md section 12, costs outside the calculators
 */
export function priceAdditions(counts: AdditionCounts, schedule: FeeSchedule): readonly FeeAddition[] {
  const rows: readonly (readonly [string, bigint, bigint | undefined])[] = [
    ['GAS', counts.gas, schedule.extraFees.get('GAS')],
    ['CREATED_ACCOUNTS', BigInt(counts.createdAccounts), priceOfCreation(schedule)],
    ['AIRDROPS', BigInt(counts.airdrops), schedule.extraFees.get('AIRDROPS')],
    ['TOKEN_ASSOCIATE', BigInt(counts.associations), schedule.extraFees.get('TOKEN_ASSOCIATE')],
  ];
  return rows.flatMap(([name, count, feePerUnit]) =>
    count === 0n || feePerUnit === undefined
      ? []
      : [{ name, count, feePerUnit, subtotal: multiplyTinycents(count, feePerUnit) }],
  );
}

/** A plain CryptoCreate with one signature. */
function priceOfCreation(schedule: FeeSchedule): bigint | undefined {
  const creation = schedule.definitions.get('CryptoCreate');
  if (creation === undefined) return undefined;
  return addTinycents(creation.baseFee, creation.nodeNetworkFeeExempt ? 0n : networkAndNodeFee(schedule));
}
