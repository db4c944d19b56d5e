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
export function acceptFeeSchedule(draft: FeeScheduleDraft): FeeSchedule {
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
