import { InvalidFeeScheduleError } from '../fee-errors.ts';
import {
  acceptFeeSchedule,
  type ExtraReference,
  type FeeDefinition,
  type FeeSchedule,
  type HighVolumeRates,
} from './fee-schedule.ts';
import { decodeFeeSchedule } from './fee-schedule-protobuf.ts';

/** The first byte of a JSON object; no schedule in binary form begins with it (it would be a group). */
const OPENING_BRACE = 0x7b;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Reads the schedule that an operator gives as a file, in JSON spelling or in the ledger's binary form.
 *
 * @throws InvalidFeeScheduleError when it is neither, or breaks a rule.
 * @see contracts/fees-estimate.md sections 9.2 to 9.4
 */
export function readFeeScheduleFile(bytes: Uint8Array): FeeSchedule {
  if (bytes.find((byte) => !BLANKS.has(byte)) !== OPENING_BRACE) return decodeFeeSchedule(bytes);
  return parseFeeScheduleJson(parseJson(bytes));
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new InvalidFeeScheduleError('the file is not JSON', error);
  }
}

/** A parsed JSON value with its place in the document, for messages. */
interface Place {
  readonly path: string;
  readonly value: unknown;
}

/**
 * Reads a schedule in its JSON spelling: camelCase members, enumerations by name, absent means default.
 *
 * Unknown members are ignored. 64-bit values may be numbers up to 2^53 − 1 or decimal texts.
 *
 * @throws InvalidFeeScheduleError for other types, naming the place, and for a broken rule.
 * @see contracts/fees-estimate.md sections 9.3 and 9.4
 */
export function parseFeeScheduleJson(document: unknown): FeeSchedule {
  const root: Place = { path: 'schedule', value: document };
  const node = member(root, 'node');
  const network = member(root, 'network');
  return acceptFeeSchedule({
    node: isAbsent(node) ? null : { baseFee: integer(member(node, 'baseFee')), extras: references(node) },
    networkMultiplier: isAbsent(network) ? null : integer(member(network, 'multiplier')),
    extras: list(member(root, 'extras')).map((extra) => ({
      name: text(member(extra, 'name')),
      fee: integer(member(extra, 'fee')),
    })),
    services: list(member(root, 'services')).map((service) => ({
      name: text(member(service, 'name')),
      definitions: list(member(service, 'schedule')).map(definition),
    })),
  });
}

function definition(place: Place): FeeDefinition {
  return {
    functionality: text(member(place, 'name')),
    baseFee: integer(member(place, 'baseFee')),
    extras: references(place),
    free: flag(member(place, 'free')),
    nodeNetworkFeeExempt: flag(member(place, 'nodeNetworkFeeExempt')),
    highVolumeRates: rates(member(place, 'highVolumeRates')),
  };
}

function rates(place: Place): HighVolumeRates | null {
  if (isAbsent(place)) return null;
  const curve = member(place, 'pricingCurve');
  const linear = isAbsent(curve) ? curve : member(curve, 'piecewiseLinear');
  const points = isAbsent(linear) ? [] : list(member(linear, 'points'));
  return {
    maxMultiplier: integer(member(place, 'maxMultiplier')),
    points: points.map((point) => ({
      utilization: integer(member(point, 'utilizationBasisPoints')),
      multiplier: integer(member(point, 'multiplier')),
    })),
  };
}

function references(owner: Place): readonly ExtraReference[] {
  return list(member(owner, 'extras')).map((extra) => ({
    name: text(member(extra, 'name')),
    includedCount: integer(member(extra, 'includedCount')),
  }));
}

function member(place: Place, name: string): Place {
  const { value } = place;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(place, 'an object');
  const found = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  return { path: `${place.path}.${name}`, value: found };
}

function isAbsent(place: Place): boolean {
  return place.value === undefined || place.value === null;
}

function list(place: Place): readonly Place[] {
  if (isAbsent(place)) return [];
  if (!Array.isArray(place.value)) throw wrong(place, 'a list');
  return place.value.map((value: unknown, index) => ({ path: `${place.path}[${index}]`, value }));
}

function text(place: Place): string {
  if (typeof place.value !== 'string' || place.value === '') throw wrong(place, 'a text that is not empty');
  return place.value;
}

function flag(place: Place): boolean {
  if (isAbsent(place)) return false;
  if (typeof place.value !== 'boolean') throw wrong(place, 'true or false');
  return place.value;
}

function integer(place: Place): bigint {
  const { value } = place;
  if (isAbsent(place)) return 0n;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value);
  throw wrong(place, 'an exact integer');
}

function wrong(place: Place, expected: string): InvalidFeeScheduleError {
  return new InvalidFeeScheduleError(`${place.path} must be ${expected}`);
}
