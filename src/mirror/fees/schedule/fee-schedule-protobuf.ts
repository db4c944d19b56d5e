import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { enumNumbers } from '../../protobuf/messages.ts';
import { shapes } from '../decode/descriptor-file.ts';
import { decodeStrictly } from '../decode/strict-decoder.ts';
import { InvalidFeeScheduleError } from '../fee-errors.ts';
import {
  acceptFeeSchedule,
  type ExtraReference,
  type FeeDefinition,
  type FeeSchedule,
  type HighVolumeRates,
} from './fee-schedule.ts';

/** Members that {@link decodeStrictly} gives for `org.hiero.hapi.fees.FeeSchedule`; absent ones have defaults. */
interface WireSchedule {
  readonly node?: { readonly baseFee?: bigint; readonly extras?: readonly WireReference[] };
  readonly network?: { readonly multiplier?: number };
  readonly extras?: readonly { readonly name?: number; readonly fee?: bigint }[];
  readonly services?: readonly { readonly name?: string; readonly schedule?: readonly WireDefinition[] }[];
}

interface WireReference {
  readonly name?: number;
  readonly includedCount?: number;
}

interface WireDefinition {
  readonly name?: number;
  readonly baseFee?: bigint;
  readonly extras?: readonly WireReference[];
  readonly free?: boolean;
  readonly highVolumeRates?: WireRates;
  readonly nodeNetworkFeeExempt?: boolean;
}

interface WireRates {
  readonly maxMultiplier?: number;
  readonly pricingCurve?: {
    readonly piecewiseLinear?: {
      readonly points?: readonly { readonly utilizationBasisPoints?: number; readonly multiplier?: number }[];
    };
  };
}

const extraNames = namesByNumber('org.hiero.hapi.fees.Extra');
const functionalityNames = namesByNumber('proto.HederaFunctionality');

/**
 * Reads a schedule in the binary form in which the ledger keeps it in file 0.0.113.
 *
 * @throws InvalidFeeScheduleError when the bytes are no such message or a rule is broken.
 * @see contracts/fees-estimate.md sections 9.2 and 9.4
 */
export function decodeFeeSchedule(bytes: Uint8Array): FeeSchedule {
  const { node, network, extras = [], services = [] } = decodeWireSchedule(bytes);
  return acceptFeeSchedule({
    node: node === undefined ? null : { baseFee: node.baseFee ?? 0n, extras: references(node.extras) },
    networkMultiplier: network === undefined ? null : BigInt(network.multiplier ?? 0),
    extras: extras.map(({ name = 0, fee = 0n }) => ({ name: nameOf(extraNames, name), fee })),
    services: services.map(({ name = '', schedule = [] }) => ({
      name,
      definitions: schedule.map(definition),
    })),
  });
}

function decodeWireSchedule(bytes: Uint8Array): WireSchedule {
  try {
    return decodeStrictly(shapes.FeeSchedule, bytes) as WireSchedule;
  } catch (error) {
    if (!(error instanceof LedgerlensError)) throw error;
    throw new InvalidFeeScheduleError(`the bytes are not a fee schedule, ${error.message}`, error);
  }
}

function definition(wire: WireDefinition): FeeDefinition {
  return {
    functionality: nameOf(functionalityNames, wire.name ?? 0),
    baseFee: wire.baseFee ?? 0n,
    extras: references(wire.extras),
    free: wire.free ?? false,
    nodeNetworkFeeExempt: wire.nodeNetworkFeeExempt ?? false,
    highVolumeRates: wire.highVolumeRates === undefined ? null : rates(wire.highVolumeRates),
  };
}

function rates({ maxMultiplier = 0, pricingCurve }: WireRates): HighVolumeRates {
  const points = pricingCurve?.piecewiseLinear?.points ?? [];
  return {
    maxMultiplier: BigInt(maxMultiplier),
    points: points.map(({ utilizationBasisPoints = 0, multiplier = 0 }) => ({
      utilization: BigInt(utilizationBasisPoints),
      multiplier: BigInt(multiplier),
    })),
  };
}

function references(extras: readonly WireReference[] = []): readonly ExtraReference[] {
  return extras.map(({ name = 0, includedCount = 0 }) => ({
    name: nameOf(extraNames, name),
    includedCount: BigInt(includedCount),
  }));
}

/** A newer ledger may know more names; its number then stands for the name. */
function nameOf(names: ReadonlyMap<number, string>, value: number): string {
  return names.get(value) ?? String(value);
}

function namesByNumber(enumeration: string): ReadonlyMap<number, string> {
  return new Map(Object.entries(enumNumbers(enumeration)).map(([name, value]) => [value, name]));
}
