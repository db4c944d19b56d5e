/**
 * Writes src/mirror/fees/schedule/bundled-schedule.json: the prices that estimates use before a ledger is imported.
 *
 * Usage: tsx scripts/write-bundled-fee-schedule.ts SCHEDULE.json
 * SCHEDULE.json is a fee schedule in the JSON spelling of the network's genesis file (the shared folder has one
 * in contracts/data/simple-fee-schedule.json). Services that the released protobuf does not know are left out.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Reference {
  readonly name: string;
  readonly includedCount?: number;
}

interface Definition {
  readonly name: string;
  readonly baseFee?: number;
  readonly extras?: readonly Reference[];
  readonly free?: boolean;
  readonly nodeNetworkFeeExempt?: boolean;
  readonly highVolumeRates?: {
    readonly maxMultiplier: number;
    readonly pricingCurve?: {
      readonly piecewiseLinear?: {
        readonly points: readonly { readonly utilizationBasisPoints: number; readonly multiplier: number }[];
      };
    };
  };
}

interface Schedule {
  readonly node: { readonly baseFee: number; readonly extras: readonly Reference[] };
  readonly network: { readonly multiplier: number };
  readonly extras: readonly { readonly name: string; readonly fee: number }[];
  readonly services: readonly { readonly name: string; readonly schedule: readonly Definition[] }[];
}

/** Belong to features that no released network has. */
const UNRELEASED_SERVICES = new Set(['Clpr']);

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error('usage: tsx scripts/write-bundled-fee-schedule.ts SCHEDULE.json');
  process.exit(2);
}

const schedule = JSON.parse(readFileSync(source, 'utf8')) as Schedule;
const compact = {
  about: 'Prices in tinycents, written by scripts/write-bundled-fee-schedule.ts; see bundled-schedule.ts',
  node: { base: schedule.node.baseFee, included: included(schedule.node.extras) },
  networkMultiplier: schedule.network.multiplier,
  unitFees: Object.fromEntries(schedule.extras.map(({ name, fee }) => [name, fee])),
  services: Object.fromEntries(
    schedule.services
      .filter(({ name }) => !UNRELEASED_SERVICES.has(name))
      .map((service) => [
        service.name,
        Object.fromEntries(
          service.schedule.map((definition) => [definition.name, compactDefinition(definition)]),
        ),
      ]),
  ),
};

const target = fileURLToPath(new URL('../src/mirror/fees/schedule/bundled-schedule.json', import.meta.url));
writeFileSync(target, `${JSON.stringify(compact, null, 2)}\n`);
const count = Object.values(compact.services).reduce((sum, service) => sum + Object.keys(service).length, 0);
console.log(`bundled-schedule.json: ${count} definitions written; format it with biome`);

function compactDefinition(definition: Definition): object {
  const rates = definition.highVolumeRates;
  return {
    base: definition.baseFee ?? 0,
    ...(definition.extras?.length ? { included: included(definition.extras) } : {}),
    ...(definition.free ? { free: true } : {}),
    ...(definition.nodeNetworkFeeExempt ? { exempt: true } : {}),
    ...(rates === undefined
      ? {}
      : {
          highVolume: {
            max: rates.maxMultiplier,
            points: (rates.pricingCurve?.piecewiseLinear?.points ?? []).map((point) => [
              point.utilizationBasisPoints,
              point.multiplier,
            ]),
          },
        }),
  };
}

function included(references: readonly Reference[]): Record<string, number> {
  return Object.fromEntries(references.map(({ name, includedCount }) => [name, includedCount ?? 0]));
}
