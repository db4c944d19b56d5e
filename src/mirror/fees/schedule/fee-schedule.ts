import { readFileSync } from 'node:fs';
import { ownFile } from '../../../own-files.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import type { SimpleFeeSchedule } from '../../protobuf/message-types.ts';
import { enumNumbers } from '../../protobuf/messages.ts';
import { shapes } from '../decode/message-shape.ts';
import { decodeStrictly } from '../decode/strict-decoder.ts';
import type { Fields } from '../decode/transaction-fields.ts';
import { InvalidFeeScheduleError } from '../fee-errors.ts';
import { MAX_TINYCENTS } from '../tinycents.ts';

/** An extra that a base fee covers up to `includedCount` units. */
export interface ExtraReference {
  /** Upper case with underscores, for example `SIGNATURES`; the number as text when it has no known name. */
  readonly name: string;
  readonly includedCount: bigint;
}

/** A point of a price curve. */
interface CurvePoint {
  /** Utilization of the high-volume throttle in basis points, 0 to 10000. */
  readonly utilization: bigint;
  /** Thousandths: 4000 is four times the price. */
  readonly multiplier: bigint;
}

/** How the price rises with the use of the high-volume throttle. @see contracts/fees-estimate.md section 6 */
export interface HighVolumeRates {
  /** Thousandths. */
  readonly maxMultiplier: bigint;
  /** Ascending by utilization; empty when the schedule has no curve. */
  readonly points: readonly CurvePoint[];
}

/** The prices of one functionality. */
export interface FeeDefinition {
  /** Name in `HederaFunctionality`, for example `CryptoCreate`; the number as text when it has no known name. */
  readonly functionality: string;
  /** Tinycents. */
  readonly baseFee: bigint;
  readonly extras: readonly ExtraReference[];
  /** Meant for queries; estimates of transactions ignore it. */
  readonly free: boolean;
  readonly nodeNetworkFeeExempt: boolean;
  readonly highVolumeRates: HighVolumeRates | null;
}

/** A schedule as it was read, before its rules were checked. */
interface FeeScheduleDraft {
  readonly node: { readonly baseFee: bigint; readonly extras: readonly ExtraReference[] } | null;
  readonly networkMultiplier: bigint | null;
  /** Prices of one unit in tinycents. */
  readonly extras: readonly { readonly name: string; readonly fee: bigint }[];
  readonly services: readonly { readonly name: string; readonly definitions: readonly FeeDefinition[] }[];
}

/** A valid schedule. Prices in tinycents. @see contracts/fees-estimate.md section 9 */
export interface FeeSchedule {
  readonly node: { readonly baseFee: bigint; readonly extras: readonly ExtraReference[] };
  /** The network part is this many times the node part. */
  readonly networkMultiplier: bigint;
  /** Price of one unit by the extra's name. */
  readonly extraFees: ReadonlyMap<string, bigint>;
  /** By functionality; of one that two services list, the first. */
  readonly definitions: ReadonlyMap<string, FeeDefinition>;
}

/**
 * Checks the rules that a schedule must keep before it is used.
 *
 * @throws InvalidFeeScheduleError naming the first rule that is broken.
 * @see contracts/fees-estimate.md section 9.4
 */
function acceptFeeSchedule(draft: FeeScheduleDraft): FeeSchedule {
  if (draft.node === null) throw new InvalidFeeScheduleError('the node fee is missing');
  if (draft.networkMultiplier === null) throw new InvalidFeeScheduleError('the network fee is missing');
  if (draft.networkMultiplier < 1n)
    throw new InvalidFeeScheduleError('the network multiplier is less than 1');
  if (draft.services.length === 0) throw new InvalidFeeScheduleError('there is no service');
  const extraFees = acceptExtraFees(draft.extras);
  acceptAmount('the node base fee', draft.node.baseFee);
  acceptReferences('the node fee', draft.node.extras, extraFees);
  return {
    node: draft.node,
    networkMultiplier: draft.networkMultiplier,
    extraFees,
    definitions: acceptServices(draft.services, extraFees),
  };
}

function acceptExtraFees(extras: FeeScheduleDraft['extras']): ReadonlyMap<string, bigint> {
  const fees = new Map<string, bigint>();
  for (const { name, fee } of extras) {
    if (fees.has(name)) throw new InvalidFeeScheduleError(`the extra ${name} is defined twice`);
    if (fee < 1n) throw new InvalidFeeScheduleError(`the fee of the extra ${name} is less than 1`);
    acceptAmount(`the fee of the extra ${name}`, fee);
    fees.set(name, fee);
  }
  return fees;
}

function acceptServices(
  services: FeeScheduleDraft['services'],
  extraFees: ReadonlyMap<string, bigint>,
): ReadonlyMap<string, FeeDefinition> {
  const definitions = new Map<string, FeeDefinition>();
  const names = new Set<string>();
  for (const service of services) {
    if (names.has(service.name)) throw new InvalidFeeScheduleError(`two services are named ${service.name}`);
    names.add(service.name);
    if (service.definitions.length === 0) {
      throw new InvalidFeeScheduleError(`the service ${service.name} has no definition`);
    }
    const own = new Set<string>();
    for (const definition of service.definitions) {
      const { functionality } = definition;
      if (own.has(functionality)) {
        throw new InvalidFeeScheduleError(`the service ${service.name} defines ${functionality} twice`);
      }
      own.add(functionality);
      acceptAmount(`the base fee of ${functionality}`, definition.baseFee);
      acceptReferences(functionality, definition.extras, extraFees);
      if (!definitions.has(functionality)) definitions.set(functionality, withSortedCurve(definition));
    }
  }
  return definitions;
}

function acceptReferences(
  owner: string,
  references: readonly ExtraReference[],
  extraFees: ReadonlyMap<string, bigint>,
): void {
  const seen = new Set<string>();
  for (const { name, includedCount } of references) {
    if (!extraFees.has(name)) throw new InvalidFeeScheduleError(`${owner} names the undefined extra ${name}`);
    if (seen.has(name)) throw new InvalidFeeScheduleError(`${owner} names the extra ${name} twice`);
    seen.add(name);
    acceptAmount(`the included count of ${name} in ${owner}`, includedCount);
  }
}

/** Amounts are int64 on ledger, so what does not fit was negative there. */
function acceptAmount(what: string, amount: bigint): void {
  if (amount < 0n || amount > MAX_TINYCENTS) {
    throw new InvalidFeeScheduleError(`${what} is outside 0 to ${MAX_TINYCENTS}`);
  }
}

function withSortedCurve(definition: FeeDefinition): FeeDefinition {
  const rates = definition.highVolumeRates;
  if (rates === null) return definition;
  const points = rates.points.toSorted((a, b) => Number(a.utilization - b.utilization));
  return { ...definition, highVolumeRates: { ...rates, points } };
}

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

/**
 * The schedule that comes with the product, so that estimates work before any ledger is imported.
 *
 * The prices of release 0.73 of the network; made by `scripts/write-bundled-fee-schedule.ts`.
 *
 * @see contracts/fees-estimate.md section 9.1
 */
export function readBundledSchedule(): FeeSchedule {
  return readFeeScheduleFile(readFileSync(ownFile('mirror/fees/schedule/bundled-schedule.json')));
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

/** Absent members have defaults. */
type WireSchedule = Fields<SimpleFeeSchedule>;
type WireDefinition = NonNullable<NonNullable<WireSchedule['services']>[number]['schedule']>[number];
type WireReferences = WireDefinition['extras'];
type WireRates = NonNullable<WireDefinition['highVolumeRates']>;

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
    node: node === undefined ? null : { baseFee: node.baseFee ?? 0n, extras: decodedReferences(node.extras) },
    networkMultiplier: network === undefined ? null : BigInt(network.multiplier ?? 0),
    extras: extras.map(({ name = 0, fee = 0n }) => ({ name: nameOf(extraNames, name), fee })),
    services: services.map(({ name = '', schedule = [] }) => ({
      name,
      definitions: schedule.map(decodedDefinition),
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

function decodedDefinition(wire: WireDefinition): FeeDefinition {
  return {
    functionality: nameOf(functionalityNames, wire.name ?? 0),
    baseFee: wire.baseFee ?? 0n,
    extras: decodedReferences(wire.extras),
    free: wire.free ?? false,
    nodeNetworkFeeExempt: wire.nodeNetworkFeeExempt ?? false,
    highVolumeRates: wire.highVolumeRates === undefined ? null : decodedRates(wire.highVolumeRates),
  };
}

function decodedRates({ maxMultiplier = 0, pricingCurve }: WireRates): HighVolumeRates {
  const points = pricingCurve?.piecewiseLinear?.points ?? [];
  return {
    maxMultiplier: BigInt(maxMultiplier),
    points: points.map(({ utilizationBasisPoints = 0, multiplier = 0 }) => ({
      utilization: BigInt(utilizationBasisPoints),
      multiplier: BigInt(multiplier),
    })),
  };
}

function decodedReferences(extras: WireReferences = []): readonly ExtraReference[] {
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
