import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_CONFIG } from '../../../test/support/default-config.ts';
import { openMemoryStore } from '../../../test/support/test-store.ts';
import type { Store } from '../../store/store.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { monthStart, previousMonthStart } from '../ledger/balance-snapshots.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import { timestampConditions } from '../parameters/timestamp-text.ts';
import { messages } from '../protobuf/messages.ts';
import { parseExchangeRates } from './exchange-rate.ts';
import { gasPriceDocument, parseLegacySchedule, parseSimpleSchedule, toTinybars } from './gas-prices.ts';
import { accountRanges, fraction, supplyText } from './network-service.ts';
import { readEarliestFile, readSystemFile } from './system-file.ts';
import { narrowingBounds, replacingBounds } from './timestamp-bounds.ts';

const rate = (hbarEquivalent: number, centEquivalent: number, expirationTime = 4_000_000_000n) => ({
  hbarEquivalent,
  centEquivalent,
  expirationTime,
});

describe('supplyText', () => {
  test.each([
    [999_999_999_999_999_949n, 'BOTH', '9999999999.99999949'],
    [12_345_678n, 'BOTH', '0.12345678'],
    [1n, 'BOTH', '0.00000001'],
    [12_345_678n, 'HBARS', '0'],
    [100_000_000n, 'HBARS', '1'],
    [12_345_678n, 'TINYBARS', '12345678'],
  ] as const)('%d in format %s is %s', (tinybars, format, expected) => {
    expect(supplyText(tinybars, format)).toBe(expected);
  });
});

describe('accounts that are not released', () => {
  test('are 548 of the main network', () => {
    expect(
      DEFAULT_CONFIG.mirror.unreleasedAccounts.reduce((sum, [first, last]) => sum + last - first + 1, 0),
    ).toBe(548);
  });

  test('follow the shard and realm of the network', () => {
    expect(accountRanges([[2, 2]], { shard: 0n, realm: 1n })).toEqual([
      { first: (1n << 38n) | 2n, last: (1n << 38n) | 2n },
    ]);
  });
});

describe('fraction', () => {
  test.each([
    [3n, 1000n, 0.003],
    [1n, 3n, 0.333333333],
    [2n, 3n, 0.666666667],
    [100n, 0n, 0],
    [100n, 100n, 1],
  ])('%d / %d is %d', (numerator, denominator, expected) => {
    expect(fraction(numerator, denominator)).toBe(expected);
  });
});

describe('bounds', () => {
  test.each([
    [['1'], null, 1n],
    [['gt:1'], 2n, null],
    [['lt:1'], null, 0n],
    [['eq:1', 'eq:2'], null, 2n],
    [['lt:1', 'eq:3'], null, 3n],
    [['gte:1', 'lte:1'], 1n, 1n],
    [['9999999999.999999999'], null, 2n ** 63n - 1n],
  ])('of %j, the last replacing the others, are %s and %s', (texts, lower, upper) => {
    const inNanos = texts.map((text) => (text.includes('.') ? text : text.replace(/(\d+)$/, '0.00000000$1')));
    expect(replacingBounds(timestampConditions(inNanos))).toEqual({ lower, upper });
  });

  test('of several conditions, narrowing, are the greatest lower and the least upper', () => {
    const conditions = timestampConditions(['gte:5', 'gt:3', 'lte:9', 'lt:12']);
    expect(narrowingBounds(conditions)).toEqual({ lower: 5_000_000_000n, upper: 9_000_000_000n });
  });
});

describe('months of snapshots', () => {
  test('a window begins with the month before', () => {
    const at = (text: string) => BigInt(Date.parse(text)) * 1_000_000n;
    expect(monthStart(at('2024-03-31T23:59:59Z'))).toBe(at('2024-03-01T00:00:00Z'));
    expect(previousMonthStart(at('2024-03-31T23:59:59Z'))).toBe(at('2024-02-01T00:00:00Z'));
    expect(previousMonthStart(at('2024-01-01T00:00:00Z'))).toBe(at('2023-12-01T00:00:00Z'));
    expect(previousMonthStart(5n)).toBe(0n);
  });
});

describe('gas prices', () => {
  test.each([
    [852n, rate(30_000, 285_576), 89n],
    [1n, rate(1, 1000), 1n],
    [0n, rate(1, 1), 1n],
    [5n, rate(1, 0), null],
  ])('%d tinycents are %s', (tinycents, at, expected) => {
    expect(toTinybars(tinycents, at)).toBe(expected);
  });

  const legacy = (gas: bigint, expiry: bigint, nextGas: bigint | null) => {
    const entries = (price: bigint) => [
      { hederaFunctionality: 6, fees: [{ servicedata: { gas: price } }, { servicedata: { gas: 1n } }] },
    ];
    return messages.CurrentAndNextFeeSchedule.encode({
      currentFeeSchedule: { transactionFeeSchedule: entries(gas), expiryTime: { seconds: expiry } },
      nextFeeSchedule: { transactionFeeSchedule: nextGas === null ? [] : entries(nextGas) },
    });
  };
  const priceAt = (schedule: Uint8Array, seconds: bigint) => {
    const parsed = parseLegacySchedule(schedule);
    expect(parsed).not.toBeNull();
    const rates = { current: rate(1, 1, 2000n), next: rate(2, 1, 3000n) };
    return gasPriceDocument({ schedule: parsed!, rates, timestamp: 7n }, seconds * 1_000_000_000n, 'asc');
  };

  test('the first fee entry counts, in thousandths of a tinycent', () => {
    expect(priceAt(legacy(5999n, 4000n, 9000n), 1000n)).toEqual({
      fees: [{ gas: 5n, transaction_type: 'ContractCall' }],
      timestamp: '0.000000007',
    });
  });

  test('after its expiry the next rate holds, and the next schedule when it has prices', () => {
    expect(priceAt(legacy(5000n, 4000n, 9000n), 2500n)).toMatchObject({ fees: [{ gas: 10n }] });
    expect(priceAt(legacy(5000n, 2400n, 9000n), 2500n)).toMatchObject({ fees: [{ gas: 18n }] });
    expect(priceAt(legacy(5000n, 2400n, null), 2500n)).toMatchObject({ fees: [{ gas: 10n }] });
  });

  test('the simple schedule has one price for all kinds', () => {
    const schedule = messages.SimpleFeeSchedule.encode({ extras: [{ name: 5, fee: 852n }] });
    expect(parseSimpleSchedule(schedule)?.current.map(({ kind, tinycents }) => [kind, tinycents])).toEqual([
      ['ContractCall', 852n],
      ['ContractCreate', 852n],
      ['EthereumTransaction', 852n],
    ]);
    expect(parseSimpleSchedule(new Uint8Array())).toBeNull();
  });
});

describe('readSystemFile', () => {
  let store: Store;
  const FILE = entityId(112n);
  const WHOLE = messages.ExchangeRateSet.encode({
    currentRate: { hbarEquiv: 1, centEquiv: 2, expirationTime: { seconds: 3n } },
    nextRate: { hbarEquiv: 4, centEquiv: 5, expirationTime: { seconds: 6n } },
  });
  const piece = (at: bigint, transactionType: 16 | 17 | 19, contents: Uint8Array) => ({
    file: FILE,
    consensusTimestamp: consensusTimestamp(at),
    transactionType,
    contents,
  });

  beforeEach(async () => {
    store = await openMemoryStore();
    await store.mirror.ledger.commitUnit(
      fixtureUnit('files', {
        filePieces: [
          piece(5n, 17, Buffer.from('broken')),
          piece(10n, 17, WHOLE.subarray(0, 4)),
          piece(11n, 16, WHOLE.subarray(4)),
          piece(20n, 19, Buffer.from('broken')),
          piece(30n, 19, Buffer.from('broken')),
        ],
      }),
    );
  });
  afterEach(() => store.close());

  const read = (lower: bigint | null, upper: bigint | null, attempts: number) =>
    readSystemFile(store.mirror.files, FILE, { lower, upper }, parseExchangeRates, attempts);

  test('broken versions are left out until one can be read', async () => {
    expect(await read(null, null, 3)).toMatchObject({
      timestamp: 11n,
      value: { next: { centEquivalent: 5 } },
    });
  });

  test('after the given number of tries there is no answer', async () => {
    expect(await read(null, null, 2)).toBeNull();
  });

  test('bounds restrict which version may begin and which pieces count', async () => {
    expect(await read(11n, null, 10)).toBeNull();
    expect(await read(null, 10n, 10)).toBeNull();
    expect(await read(10n, 19n, 1)).toMatchObject({ timestamp: 11n });
  });

  test('the earliest version is the first that can be read, whole', async () => {
    const { files } = store.mirror;
    expect(await readEarliestFile(files, FILE, parseExchangeRates, 10)).toMatchObject({ timestamp: 11n });
    expect(await readEarliestFile(files, FILE, parseExchangeRates, 1)).toBeNull();
  });
});
