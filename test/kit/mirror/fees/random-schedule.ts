import { readFileSync } from 'node:fs';
import type { RandomSource } from '../../../../tools/network/seeded-random.ts';
import type { SlowSchedule } from './slow-estimate.ts';

type Definition = SlowSchedule['services'][number]['schedule'][number];
type Reference = NonNullable<Definition['extras']>[number];

interface BundledFile {
  readonly node: { readonly base: number; readonly included: Readonly<Record<string, number>> };
  readonly networkMultiplier: number;
  readonly unitFees: Readonly<Record<string, number>>;
  readonly services: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly base: number;
            readonly included?: Readonly<Record<string, number>>;
            readonly exempt?: boolean;
            readonly highVolume?: {
              readonly max: number;
              readonly points: readonly (readonly [number, number])[];
            };
          }
        >
      >
    >
  >;
}

/** The bundled prices in the JSON spelling of section 9.3, read without the product's own reader. */
export function bundledScheduleJson(): SlowSchedule {
  const file = JSON.parse(
    readFileSync(
      new URL('../../../../src/mirror/fees/schedule/bundled-schedule.json', import.meta.url),
      'utf8',
    ),
  ) as BundledFile;
  return {
    node: { baseFee: file.node.base, extras: references(file.node.included) },
    network: { multiplier: file.networkMultiplier },
    extras: Object.entries(file.unitFees).map(([name, fee]) => ({ name, fee })),
    services: Object.entries(file.services).map(([name, definitions]) => ({
      name,
      schedule: Object.entries(definitions).map(
        ([functionality, { base, included, exempt, highVolume }]) => ({
          name: functionality,
          baseFee: base,
          extras: references(included),
          ...(exempt === undefined ? {} : { nodeNetworkFeeExempt: exempt }),
          ...(highVolume === undefined
            ? {}
            : {
                highVolumeRates: {
                  maxMultiplier: highVolume.max,
                  pricingCurve: {
                    piecewiseLinear: {
                      points: highVolume.points.map(([utilizationBasisPoints, multiplier]) => ({
                        utilizationBasisPoints,
                        multiplier,
                      })),
                    },
                  },
                },
              }),
        }),
      ),
    })),
  };
}

/** The bundled schedule with odd prices, other included counts, lists in another order, and curves of any form. */
export function randomScheduleJson(random: RandomSource): SlowSchedule {
  const bundled = bundledScheduleJson();
  const price = () => 1 + random.below(1_000_007);
  const changed = (list: readonly Reference[] = []) =>
    list
      .filter(() => random.below(8) > 0)
      .map(({ name }) => ({ name, includedCount: random.below(4) * random.below(4) }))
      .toSorted(() => random.below(3) - 1);
  return {
    node: { baseFee: price(), extras: changed(bundled.node.extras) },
    network: { multiplier: 1 + random.below(12) },
    extras: bundled.extras.map(({ name }) => ({ name, fee: price() })),
    services: bundled.services.map(({ name, schedule }) => ({
      name,
      schedule: schedule
        .filter(({ name: functionality }) => functionality === 'CryptoTransfer' || random.below(30) > 0)
        .map((definition) => ({
          ...definition,
          baseFee: random.below(5) === 0 ? 0 : price(),
          extras: changed(definition.extras),
          ...(definition.highVolumeRates === undefined ? {} : { highVolumeRates: curve(random) }),
        })),
    })),
  };
}

function curve(random: RandomSource): NonNullable<Definition['highVolumeRates']> {
  const maxMultiplier = random.below(9) * 1777;
  if (random.below(5) === 0) return { maxMultiplier };
  const points = Array.from({ length: random.below(6) }, () => ({
    utilizationBasisPoints: random.below(11) * 1000,
    multiplier: random.below(20_000),
  }));
  return { maxMultiplier, pricingCurve: { piecewiseLinear: { points } } };
}

function references(included: Readonly<Record<string, number>> = {}): readonly Reference[] {
  return Object.entries(included).map(([name, includedCount]) => ({ name, includedCount }));
}
