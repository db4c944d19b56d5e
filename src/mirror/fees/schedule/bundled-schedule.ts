import { readFileSync } from 'node:fs';
import { ownFile } from '../../../own-files.ts';
import {
  acceptFeeSchedule,
  type ExtraReference,
  type FeeDefinition,
  type FeeSchedule,
} from './fee-schedule.ts';

/** The form of `bundled-schedule.json`: names as keys, curve points as pairs of basis points and thousandths. */
interface CompactSchedule {
  readonly node: { readonly base: number; readonly included: Included };
  readonly networkMultiplier: number;
  readonly unitFees: Readonly<Record<string, number>>;
  readonly services: Readonly<Record<string, Readonly<Record<string, CompactDefinition>>>>;
}

type Included = Readonly<Record<string, number>>;

interface CompactDefinition {
  readonly base: number;
  readonly included?: Included;
  readonly free?: boolean;
  readonly exempt?: boolean;
  readonly highVolume?: {
    readonly max: number;
    readonly points: readonly (readonly [basisPoints: number, multiplier: number])[];
  };
}

/**
 * The schedule that comes with the product, so that estimates work before any ledger is imported.
 *
 * The prices of release 0.73 of the network; made by `scripts/write-bundled-fee-schedule.ts`.
 *
 * @see contracts/fees-estimate.md section 9.1
 */
export function readBundledSchedule(): FeeSchedule {
  const file = readFileSync(ownFile('mirror/fees/schedule/bundled-schedule.json'), 'utf8');
  const compact = JSON.parse(file) as CompactSchedule;
  return acceptFeeSchedule({
    node: { baseFee: BigInt(compact.node.base), extras: references(compact.node.included) },
    networkMultiplier: BigInt(compact.networkMultiplier),
    extras: Object.entries(compact.unitFees).map(([name, fee]) => ({ name, fee: BigInt(fee) })),
    services: Object.entries(compact.services).map(([name, definitions]) => ({
      name,
      definitions: Object.entries(definitions).map(definition),
    })),
  });
}

function definition([functionality, compact]: readonly [string, CompactDefinition]): FeeDefinition {
  const { base, included = {}, free = false, exempt = false, highVolume } = compact;
  return {
    functionality,
    baseFee: BigInt(base),
    extras: references(included),
    free,
    nodeNetworkFeeExempt: exempt,
    highVolumeRates:
      highVolume === undefined
        ? null
        : {
            maxMultiplier: BigInt(highVolume.max),
            points: highVolume.points.map(([utilization, multiplier]) => ({
              utilization: BigInt(utilization),
              multiplier: BigInt(multiplier),
            })),
          },
  };
}

function references(included: Included): readonly ExtraReference[] {
  return Object.entries(included).map(([name, count]) => ({ name, includedCount: BigInt(count) }));
}
