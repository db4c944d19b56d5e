import { NANOS_PER_SECOND, printTimestamp } from '../../values/consensus-timestamp.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import type { ExactJson } from '../ledger/exact-json.ts';
import type { FeeScheduleOfFunctions } from '../protobuf/message-types.ts';
import { enumNumbers, messages, toBigInt } from '../protobuf/messages.ts';
import { decodeOrNull, type ExchangeRate, type ExchangeRates } from './exchange-rate.ts';
import type { GasPriceReaders } from './gas-price-readers.ts';
import type { StatedGasPrices } from './network-repository.sql.ts';
import type { ReadFile } from './system-file.ts';
import type { TimestampBounds } from './timestamp-bounds.ts';

/** The gas price of one kind of transaction. */
interface GasPrice {
  readonly kind: string;
  readonly tinycents: bigint;
  /** The same in thousandths of a tinycent, as the legacy schedule has it. */
  readonly thousandths: bigint;
}

/** The gas price of the schedule that fee estimates begin with. */
export interface InitialGasPrice {
  readonly tinycents: bigint;
  /** The one that comes with the product, or the operator's. */
  readonly origin: 'bundled' | 'file';
}

/** Prices by the period in which they hold. */
export interface GasSchedule {
  readonly current: readonly GasPrice[];
  readonly next: readonly GasPrice[];
  /** Seconds; null when the current prices have no end. */
  readonly currentExpiresAt: bigint | null;
}

/** What took the place of a schedule that the ledger does not have as of a time. */
type StandIn = 'earliest' | InitialGasPrice['origin'];

/** What the gas prices of a time follow from. */
interface GasPriceBasis {
  readonly schedule: GasSchedule;
  readonly rates: ExchangeRates;
  /** Of the schedule; of the rates when the schedule is none of the ledger's. */
  readonly timestamp: bigint;
  readonly standIn: StandIn | null;
}

const functionNumbers = enumNumbers('proto.HederaFunctionality');
const GAS_EXTRA = enumNumbers('org.hiero.hapi.fees.Extra')['GAS'];

/** The kinds that the answer lists. */
const KINDS = ['ContractCall', 'ContractCreate', 'EthereumTransaction'] as const;
/** The legacy schedule counts in thousandths of a tinycent. */
const LEGACY_UNIT = 1000n;

/**
 * Reads the legacy schedule, file 0.0.111.
 *
 * @returns null when the bytes are no such schedule, or one without a price of gas.
 * @see contracts/mirror-network.md section 4
 */
export function parseLegacySchedule(contents: Uint8Array): GasSchedule | null {
  const schedules = decodeOrNull(() => messages.CurrentAndNextFeeSchedule.decode(contents));
  if (!schedules?.currentFeeSchedule) return null;
  const { currentFeeSchedule, nextFeeSchedule } = schedules;
  const current = legacyPrices(currentFeeSchedule);
  const next = nextFeeSchedule === null ? [] : legacyPrices(nextFeeSchedule);
  // The first ones of mainnet have their prices in a member that is no longer read.
  if (current.length === 0 && next.length === 0) return null;
  const { expiryTime } = currentFeeSchedule;
  // A next schedule without prices replaces nothing.
  const hasEnd = expiryTime !== null && next.length > 0;
  return { current, next, currentExpiresAt: hasEnd ? toBigInt(expiryTime.seconds) : null };
}

/** Reads the simple fee schedule, file 0.0.113: one price for all kinds; null when it has none. */
export function parseSimpleSchedule(contents: Uint8Array): GasSchedule | null {
  const schedule = decodeOrNull(() => messages.SimpleFeeSchedule.decode(contents));
  const extra = schedule?.extras.find(({ name }) => name === GAS_EXTRA);
  return extra === undefined ? null : simpleGasSchedule(toBigInt(extra.fee));
}

/** One price for all kinds. */
function simpleGasSchedule(tinycents: bigint): GasSchedule {
  return endless(KINDS.map((kind) => gasPrice(kind, tinycents)));
}

/** Prices that are told in tinybars follow from the same numbers of tinycents where a tinybar is a tinycent. */
function statedBasis({ prices, scheduleTimestamp }: StatedGasPrices): GasPriceBasis {
  const even = { centEquivalent: 1, hbarEquivalent: 1, expirationTime: MAX_INT64 };
  return {
    schedule: endless(prices.map(({ gas, kind }) => gasPrice(kind, gas))),
    rates: { current: even, next: even },
    timestamp: scheduleTimestamp,
    standIn: null,
  };
}

/**
 * A gas price in tinybars: `max(1, floor(tinycents * hbar / cent))`.
 *
 * @returns null when the rate has no cents.
 * @example 852 tinycents at 30000 hbar = 285576 cents are 89 tinybars.
 */
export function toTinybars(tinycents: bigint, rate: ExchangeRate): bigint | null {
  if (rate.centEquivalent === 0) return null;
  const tinybars = (tinycents * BigInt(rate.hbarEquivalent)) / BigInt(rate.centEquivalent);
  return tinybars < 1n ? 1n : tinybars;
}

/**
 * What a call pays for a unit of gas in an hour: tinybars, at least 1.
 *
 * @param hour first nanosecond of the hour; it decides between current and next.
 * @returns null when schedule or rate do not tell it.
 * @see contracts/mirror-contracts.md section 4.3
 */
export function callGasPrice(schedule: GasSchedule, rates: ExchangeRates, hour: bigint): bigint | null {
  const isPast = (seconds: bigint | null) => seconds !== null && hour > seconds * NANOS_PER_SECOND;
  const rate = isPast(rates.current.expirationTime) ? rates.next : rates.current;
  const prices = isPast(schedule.currentExpiresAt) ? schedule.next : schedule.current;
  const price = prices.find(({ kind }) => kind === 'ContractCall');
  if (price === undefined || rate.centEquivalent === 0) return null;
  const tinybars =
    (price.thousandths * BigInt(rate.hbarEquivalent)) / (BigInt(rate.centEquivalent) * LEGACY_UNIT);
  return tinybars < 1n ? 1n : tinybars;
}

/**
 * The answer of `GET /api/v1/network/fees`.
 *
 * @param reference decides between current and next.
 */
export function gasPriceDocument(
  { rates, schedule, timestamp }: Omit<GasPriceBasis, 'standIn'>,
  reference: bigint,
  order: 'asc' | 'desc',
): ExactJson {
  const isPast = (seconds: bigint | null) => seconds !== null && reference > seconds * NANOS_PER_SECOND;
  const rate = isPast(rates.current.expirationTime) ? rates.next : rates.current;
  const prices = isPast(schedule.currentExpiresAt) ? schedule.next : schedule.current;
  const fees = prices.flatMap(({ kind, tinycents }) => {
    const gas = toTinybars(tinycents, rate);
    return gas === null ? [] : [{ gas, transaction_type: kind }];
  });
  fees.sort((a, b) => compareText(a.transaction_type, b.transaction_type));
  if (order === 'desc') fees.reverse();
  return { fees, timestamp: printTimestamp(timestamp) };
}

function gasPrice(kind: string, tinycents: bigint): GasPrice {
  return { kind, tinycents, thousandths: tinycents * LEGACY_UNIT };
}

function endless(prices: readonly GasPrice[]): GasSchedule {
  return { current: prices, next: prices, currentExpiresAt: null };
}

function legacyPrices({ transactionFeeSchedule }: FeeScheduleOfFunctions): readonly GasPrice[] {
  return KINDS.flatMap((kind) => {
    const entry = transactionFeeSchedule.find(
      ({ hederaFunctionality }) => hederaFunctionality === functionNumbers[kind],
    );
    const first = entry?.fees[0]?.servicedata;
    if (first === undefined || first === null) return [];
    const thousandths = toBigInt(first.gas);
    return [{ kind, tinycents: thousandths / LEGACY_UNIT, thousandths }];
  });
}

/** Without regard to letter case. */
function compareText(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
}

interface MissingBasis {
  readonly missing: 'schedule' | 'rates';
}

/**
 * Finds what the gas prices of a time follow from.
 *
 * @param time that a later schedule and later rates may answer for; null for none.
 * @param initial in place of a schedule that the ledger does not have; null for none.
 * @see contracts/mirror-network.md section 4.1
 */
export async function findGasPriceBasis(
  readers: GasPriceReaders,
  bounds: TimestampBounds,
  time: bigint | null,
  initial: InitialGasPrice | null,
): Promise<GasPriceBasis | MissingBasis> {
  const known = (await readers.simpleSchedule(bounds)) ?? (await readers.legacySchedule(bounds));
  const stated = known === null ? await readers.statedPrices(bounds) : null;
  if (stated !== null) return statedBasis(stated.value);

  const later = async <T>(read: () => Promise<ReadFile<T> | null>) => {
    const earliest = time === null ? null : await read();
    return earliest !== null && time !== null && earliest.timestamp > time ? earliest : null;
  };
  const rates = (await readers.rates(bounds)) ?? (await later(readers.earliestRates));
  if (rates === null) return { missing: known === null ? 'schedule' : 'rates' };
  const basis = (schedule: ReadFile<GasSchedule>, standIn: StandIn | null) => ({
    schedule: schedule.value,
    rates: rates.value,
    timestamp: schedule.timestamp,
    standIn,
  });
  if (known !== null) return basis(known, null);
  const earliest =
    (await later(readers.earliestSimpleSchedule)) ?? (await later(readers.earliestLegacySchedule));
  if (earliest !== null) return basis(earliest, 'earliest');
  if (time === null || initial === null) return { missing: 'schedule' };
  const schedule = { value: simpleGasSchedule(initial.tinycents), timestamp: rates.timestamp };
  return basis(schedule, initial.origin);
}
