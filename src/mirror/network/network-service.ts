import { type Clock, nanosNow } from '../../values/clock.ts';
import { type EntityId, encodeEntityId, printEntityId } from '../../values/entity-id.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { MaybePromise } from '../../values/map-maybe.ts';
import { invalidRequest, type MirrorApiError, messages, notFoundError } from '../errors.ts';
import { previousMonthStart } from '../ledger/balance-snapshots.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import type { StakeUpdate } from '../ledger/rows.ts';
import { itemOf, text, time } from '../lists/fields.ts';
import { checkParameters, type ParameterValues } from '../parameters/check-parameters.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { readQuery } from '../parameters/query-text.ts';
import {
  isTimestampCondition,
  type TimestampCondition,
  timestampConditions,
} from '../parameters/timestamp-text.ts';
import { SYSTEM_FILE } from '../vocabulary/system-files.ts';
import { EXCHANGE_RATES } from './exchange-rate.ts';
import type { GasPriceReaders } from './gas-price-readers.ts';
import { findGasPriceBasis, gasPriceDocument, type InitialGasPrice } from './gas-prices.ts';
import type { AccountRange, BalanceSum, NetworkRepository } from './network-repository.sql.ts';
import { stakingPeriod } from './staking-period.ts';
import { loneTime, narrowingBounds, replacingBounds } from './timestamp-bounds.ts';

export interface NetworkDependencies {
  readonly network: NetworkRepository;
  readonly gasPriceReaders: GasPriceReaders;
  readonly clock: Clock;
  readonly home: EntityHome;
  readonly currencyFormat: CurrencyFormat;
  readonly unreleasedAccounts: readonly NumRange[];
  /** Whether a question about a time before the first known value is answered from that value. */
  readonly answersEarliest: boolean;
  /** In place of a fee schedule that the ledger does not have; null for none. */
  readonly initialGasPrice: InitialGasPrice | null;
  readonly maxRepeated: number;
  /**
   * End of the newest unit, null in an empty ledger: with it a ledger whose balances are unknown tells the part of the supply
   * that is known. Default: it is not found.
   */
  readonly newestConsensusEnd?: () => MaybePromise<bigint | null>;
}

/** The documents of the network object; each takes the path and query as sent. */
export type NetworkService = ReturnType<typeof createNetworkService>;

const NOT_EQUALS = 'Not equals (ne) operator is not supported for timestamp';
const RANGE_REVERSED = 'Lower timestamp cannot be higher than upper timestamp';

/** @see contracts/mirror-network.md sections 2, 3, 4 and 6 */
export function createNetworkService(dependencies: NetworkDependencies) {
  const { answersEarliest, clock, currencyFormat, home, maxRepeated, network } = dependencies;
  const { earliestRates, rates: ratesWithin } = dependencies.gasPriceReaders;
  const ranges = accountRanges(dependencies.unreleasedAccounts, home);
  const rateFile = systemFile(SYSTEM_FILE.EXCHANGE_RATES, home);
  const simpleFile = systemFile(SYSTEM_FILE.SIMPLE_FEE_SCHEDULE, home);
  const conditionsOf = (values: ParameterValues) => timestampConditions(values.get('timestamp') ?? []);

  async function unreleasedAt(conditions: readonly TimestampCondition[]): Promise<BalanceSum | null> {
    if (conditions.length === 0) return network.currentBalances(ranges);
    const { lower, upper } = narrowingBounds(conditions);
    if (lower !== null && upper !== null && lower > upper) throw invalidRequest([RANGE_REVERSED]);
    const end = upper ?? nanosNow(clock);
    const within = await balancesUpTo(lower, end);
    const time = loneTime(conditions);
    if (within !== null || !answersEarliest || time === null) return within;
    const oldest = await network.oldestBalance(ranges);
    // A ledger of less than two minutes has no snapshot yet.
    if (oldest === null) return network.currentBalances(ranges);
    // Before the first snapshot that one answers, long after the last one (an old import) the last.
    return network.balancesWithin(ranges, 0n, time < oldest ? oldest : end);
  }

  /** Every account has a snapshot at least once a month, so two months hold the newest of each. */
  async function balancesUpTo(lower: bigint | null, upper: bigint): Promise<BalanceSum | null> {
    if (upper < 0n) return null;
    const months = previousMonthStart(upper);
    return network.balancesWithin(ranges, lower !== null && lower > months ? lower : months, upper);
  }

  return {
    /** @throws MirrorApiError 400 for bad parameters, 404 without balances. */
    async supply(target: string): Promise<{ readonly isText: boolean; readonly body: string }> {
      const values = checkParameters(
        readQuery(target),
        {
          timestamp: isTimestampCondition,
          q: (text) => ['totalcoins', 'circulating'].includes(text.toLowerCase()),
        },
        maxRepeated,
      );
      const conditions = conditionsOf(values);
      if (hasNotEquals(conditions)) throw invalidRequest([messages.invalidParameter(NOT_EQUALS)]);
      const unreleased = await unreleasedAt(conditions);
      const question = values.get('q')?.at(-1)?.toLowerCase();
      if (unreleased === null || unreleased.timestamp === 0n) {
        const newest = conditions.length === 0 ? ((await dependencies.newestConsensusEnd?.()) ?? null) : null;
        if (newest === null || question === 'circulating') throw notFoundError('Network supply not found');
        return question === undefined
          ? { isText: false, body: SUPPLY.json({ released: null, timestamp: newest }) }
          : { isText: true, body: supplyText(TOTAL_SUPPLY, currencyFormat) };
      }
      const { timestamp, total } = unreleased;
      const released = TOTAL_SUPPLY - total;
      if (question === undefined) return { isText: false, body: SUPPLY.json({ released, timestamp }) };
      const amount = question === 'totalcoins' ? TOTAL_SUPPLY : released;
      return { isText: true, body: supplyText(amount, currencyFormat) };
    },

    /** @throws MirrorApiError 400 for bad parameters, 404 without a readable file. */
    async exchangeRate(target: string) {
      const values = checkParameters(readQuery(target), { timestamp: isTimestampCondition }, maxRepeated);
      const conditions = conditionsOf(values);
      if (hasNotEquals(conditions)) throw invalidRequest([NOT_EQUALS]);
      const rates = await ratesWithin(replacingBounds(conditions));
      if (rates !== null) return EXCHANGE_RATES.json(rates);
      const time = loneTime(conditions);
      const earliest = answersEarliest && time !== null ? await earliestRates() : null;
      if (earliest !== null && time !== null && time < earliest.timestamp) {
        return EXCHANGE_RATES.json(earliest);
      }
      throw fileNotFound(rateFile);
    },

    /** @throws MirrorApiError 400 for bad parameters, 404 without a readable file. */
    async gasPrices(target: string) {
      const values = checkParameters(
        readQuery(target),
        { timestamp: isTimestampCondition, order: (text) => ['asc', 'desc'].includes(text.toLowerCase()) },
        maxRepeated,
      );
      const conditions = conditionsOf(values);
      if (hasNotEquals(conditions)) throw invalidRequest([NOT_EQUALS]);
      const bounds = replacingBounds(conditions);
      const time = conditions.length === 0 ? nanosNow(clock) : loneTime(conditions);
      const basis = await findGasPriceBasis(
        dependencies.gasPriceReaders,
        bounds,
        answersEarliest ? time : null,
        dependencies.initialGasPrice,
      );
      if ('missing' in basis) throw fileNotFound(basis.missing === 'rates' ? rateFile : simpleFile);
      const order = values.get('order')?.at(-1)?.toLowerCase() === 'desc' ? 'desc' : 'asc';
      const document = gasPriceDocument(basis, bounds.upper ?? basis.timestamp, order);
      return { json: printExactJson(document), standIn: basis.standIn };
    },

    /** @throws MirrorApiError 400 for any parameter, 404 without a stake update. */
    async stake(target: string) {
      checkParameters(readQuery(target), {}, maxRepeated);
      const update = await network.newestStake();
      if (update === null) throw notFoundError('No network stake data found');
      return printExactJson(stakeDocument(update));
    },
  };
}

/** The encoded id of a system file of this network. */
export function systemFile(num: bigint, { realm, shard }: EntityHome): EntityId {
  const id = encodeEntityId(shard, realm, num);
  if (id !== null) return id;
  throw new LedgerlensError('invalid_entity_id', `Shard ${shard} or realm ${realm} is out of range`);
}

function fileNotFound(file: EntityId): MirrorApiError {
  return notFoundError(`File ${printEntityId(file)} not found`);
}

function hasNotEquals(conditions: readonly TimestampCondition[]): boolean {
  return conditions.some(({ operator }) => operator === 'ne');
}

/** The answer of `GET /api/v1/network/stake`. @see contracts/mirror-network.md section 6 */
function stakeDocument(update: Omit<StakeUpdate, 'nodes'>): ExactJson {
  return {
    max_stake_rewarded: update.maxStakeRewarded,
    max_staking_reward_rate_per_hbar: update.maxStakingRewardRatePerHbar,
    max_total_reward: update.maxTotalReward,
    node_reward_fee_fraction: fraction(update.nodeRewardFeeNumerator, update.nodeRewardFeeDenominator),
    reserved_staking_rewards: update.reservedStakingRewards,
    reward_balance_threshold: update.rewardBalanceThreshold,
    stake_total: update.stakeTotal,
    staking_period: stakingPeriod(update.stakingPeriodEnd),
    staking_period_duration: update.stakingPeriodDuration,
    staking_periods_stored: update.stakingPeriodsStored,
    staking_reward_fee_fraction: fraction(
      update.stakingRewardFeeNumerator,
      update.stakingRewardFeeDenominator,
    ),
    staking_reward_rate: update.stakingRewardRate,
    staking_start_threshold: update.stakingStartThreshold,
    unreserved_staking_reward_balance: update.unreservedStakingRewardBalance,
  };
}

const BILLION = 1_000_000_000n;

/** Nine decimals, half up; 0 when there is nothing to divide by. */
export function fraction(numerator: bigint, denominator: bigint): number {
  if (denominator <= 0n) return 0;
  return Number((numerator * BILLION * 2n + denominator) / (denominator * 2n)) / Number(BILLION);
}

/** 50 billion hbar in tinybars. */
const TOTAL_SUPPLY = 5_000_000_000_000_000_000n;

/** How text answers print an amount. */
type CurrencyFormat = 'BOTH' | 'HBARS' | 'TINYBARS';

/** From and to, both inclusive. */
export type NumRange = readonly [first: number, last: number];

const DECIMALS = 8;

/** The configured numbers as encoded ids of a shard and realm; ranges out of reach are left out. */
export function accountRanges(
  nums: readonly NumRange[],
  { realm, shard }: EntityHome,
): readonly AccountRange[] {
  return nums.flatMap(([from, to]) => {
    const first = encodeEntityId(shard, realm, BigInt(from));
    const last = encodeEntityId(shard, realm, BigInt(to));
    return first === null || last === null ? [] : [{ first, last }];
  });
}

interface Supply {
  /** Tinybars; null in a ledger whose balances are unknown, where the total is fixed by the protocol still. */
  readonly released: bigint | null;
  readonly timestamp: bigint;
}

/** The JSON answer of `GET /api/v1/network/supply`. @see contracts/mirror-network.md section 2 */
export const SUPPLY = itemOf<Supply>()(
  {
    released_supply: text.orNull(
      ({ released }) => (released === null ? null : `${released}`),
      'Tinybars; null in the dialect `hiero` when the ledger began in the middle.',
    ),
    timestamp: time(({ timestamp }) => timestamp),
    total_supply: text(() => `${TOTAL_SUPPLY}`, 'Tinybars.'),
  },
  'Supply',
);

/**
 * The text answer: exactly one number.
 *
 * @param tinybars not negative.
 * @example 9999999999.99999949 for 999999999999999949 tinybars in format BOTH.
 */
export function supplyText(tinybars: bigint, format: CurrencyFormat): string {
  if (format === 'TINYBARS') return tinybars.toString();
  const digits = tinybars.toString().padStart(DECIMALS + 1, '0');
  const whole = digits.slice(0, -DECIMALS);
  return format === 'HBARS' ? whole : `${whole}.${digits.slice(-DECIMALS)}`;
}
