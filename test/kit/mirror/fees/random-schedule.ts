import { readFileSync } from 'node:fs';
import type { RandomSource } from '../../../../tools/network/seeded-random.ts';
import type { SlowSchedule } from './slow-estimate.ts';

type Definition = SlowSchedule['services'][number]['schedule'][number];
type Reference = NonNullable<Definition['extras']>[number];

/** The bundled prices in the JSON spelling of section 9.3, read without the product's own reader. */
export function bundledScheduleJson(): SlowSchedule {
  const path = new URL('../../../../src/mirror/fees/schedule/bundled-schedule.json', import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as SlowSchedule;
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
