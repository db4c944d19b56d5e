import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { smallSchedule } from '../../../test/kit/mirror/fees/schedules.ts';
import { aContractResult, aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { readBundledSchedule } from '../fees/schedule/fee-schedule.ts';
import { type FixtureRows, fixtureUnit } from '../ledger/fixture-unit.ts';
import type { FilePiece } from '../ledger/rows.ts';
import { messages } from '../protobuf/messages.ts';

const SECOND = 1_000_000_000n;
const time = (seconds: number) => consensusTimestamp(BigInt(seconds) * SECOND);
const printed = (seconds: number) => `${seconds}.000000000`;
const GAS = readBundledSchedule().extraFees.get('GAS') ?? 0n;

const piece = (
  num: bigint,
  seconds: number,
  contents: Uint8Array,
  transactionType: FilePiece['transactionType'] = 19,
): FilePiece => ({ file: entityId(num), consensusTimestamp: time(seconds), transactionType, contents });
const missing = (file: string) => ({ status: 404, message: 'Not found', detail: `File ${file} not found` });
/** So many hbars are worth a cent. */
const rates = (hbarEquiv: number) => {
  const rate = { hbarEquiv, centEquiv: 1, expirationTime: { seconds: 5_000_000_000n } };
  return messages.ExchangeRateSet.encode({ currentRate: rate, nextRate: rate });
};
const receipt = (seconds: number, hbars: number) => ({
  consensusTimestamp: time(seconds),
  contents: rates(hbars),
});
const simple = (fee: bigint) => messages.SimpleFeeSchedule.encode({ extras: [{ name: 5, fee }] });
const legacy = (gas: bigint) =>
  messages.CurrentAndNextFeeSchedule.encode({
    currentFeeSchedule: {
      transactionFeeSchedule: [{ hederaFunctionality: 6, fees: [{ servicedata: { gas: gas * 1000n } }] }],
    },
  });

/** @see contracts/mirror-network.md section 4.1 */
describe('gas prices of a ledger that was followed from now', () => {
  let mirror: MirrorApp;
  afterEach(() => mirror?.close());

  /** A contract was called at each of the times. */
  async function open(
    calls: readonly number[],
    rows: FixtureRows,
    options: Parameters<typeof buildMirrorApp>[0] = {},
  ) {
    mirror = await buildMirrorApp(options);
    const times = calls.map(time);
    await mirror.area.ledger.commitUnit(
      fixtureUnit('followed', {
        transactions: times.map((at) => aTransaction(at, { type: 7 })),
        contractResults: times.map((at) => aContractResult(at)),
        ...rows,
      }),
    );
  }

  const fees = async (query = '') => {
    const answer = await mirror.app.inject(`/api/v1/network/fees${query}`);
    const { fees: prices, timestamp, _status } = answer.json();
    return _status === undefined
      ? { gas: prices[0].gas, timestamp, schedule: answer.headers['x-fee-schedule'] }
      : { status: answer.statusCode, ..._status.messages[0] };
  };
  const ofResults = async () => {
    const { results } = (await mirror.app.inject('/api/v1/contracts/results?order=asc')).json() as {
      readonly results: readonly { readonly gas_price: string | null }[];
    };
    return results.map(({ gas_price }) => (gas_price === null ? null : Number(gas_price)));
  };
  test('follow from the earliest later schedule and rates, the same for results', async () => {
    await open([5, 15, 20, 35], {
      rates: [receipt(10, 2)],
      filePieces: [
        piece(111n, 8, Buffer.from('broken')),
        piece(111n, 12, legacy(7n)),
        piece(113n, 20, simple(100n)),
        piece(112n, 30, rates(3)),
      ],
    });
    const answers = await Promise.all([5, 11, 15, 20, 35].map((seconds) => fees(`?timestamp=${seconds}`)));
    expect(answers).toEqual([
      { gas: 200, timestamp: printed(20), schedule: 'earliest' },
      { gas: 200, timestamp: printed(20), schedule: 'earliest' },
      { gas: 14, timestamp: printed(12), schedule: undefined },
      { gas: 200, timestamp: printed(20), schedule: undefined },
      { gas: 300, timestamp: printed(20), schedule: undefined },
    ]);
    expect(await fees()).toEqual(answers[4]);
    expect(await ofResults()).toEqual([200, 14, 200, 300]);
  });

  test('follow from a legacy schedule that comes later when there is no simple one', async () => {
    await open([5], { rates: [receipt(5, 2)], filePieces: [piece(111n, 12, legacy(7n))] });
    expect(await fees('?timestamp=eq:5')).toEqual({
      gas: 14,
      timestamp: printed(12),
      schedule: 'earliest',
    });
    expect(await ofResults()).toEqual([14]);
  });

  test('pass over a legacy schedule without a price, as the first ones of mainnet are', async () => {
    const without = messages.CurrentAndNextFeeSchedule.encode({
      currentFeeSchedule: { transactionFeeSchedule: [{ hederaFunctionality: 6, fees: [] }] },
    });
    await open([5], {
      rates: [receipt(1, 2)],
      filePieces: [piece(111n, 2, without), piece(111n, 12, legacy(7n))],
    });
    const price = { gas: 14, timestamp: printed(12), schedule: 'earliest' };
    expect(await fees('?timestamp=eq:5')).toEqual(price);
    expect(await ofResults()).toEqual([14]);
  });

  test('follow from a version of which the last piece comes later', async () => {
    const contents = simple(100n);
    await open([11], {
      rates: [receipt(1, 2)],
      filePieces: [
        piece(113n, 10, contents.subarray(0, 3)),
        piece(113n, 12, contents.subarray(3), 16),
        piece(113n, 20, simple(700n)),
      ],
    });
    expect(await fees('?timestamp=11')).toEqual({ gas: 200, timestamp: printed(12), schedule: 'earliest' });
    expect(await ofResults()).toEqual([200]);
  });

  test('follow from the bundled schedule as long as there is none', async () => {
    await open([5, 15], { rates: [receipt(10, 2)] });
    const gas = Number(GAS * 2n);
    const bundled = { gas, timestamp: printed(10), schedule: 'bundled' };
    expect([await fees(), await fees('?timestamp=5'), await fees('?timestamp=15')]).toEqual([
      bundled,
      bundled,
      bundled,
    ]);
    expect(await ofResults()).toEqual([gas, gas]);
    const later = { transactions: [aTransaction(time(20))], filePieces: [piece(113n, 20, simple(100n))] };
    await mirror.area.ledger.commitUnit(fixtureUnit('later', later));
    expect(await fees('?timestamp=15')).toEqual({ gas: 200, timestamp: printed(20), schedule: 'earliest' });
    expect(await ofResults()).toEqual([200, 200]);
  });

  test.each([
    ['of the file that the operator gives', 500, { gas: 1000, timestamp: printed(10), schedule: 'file' }],
    ['none where that file has no price', null, missing('0.0.113')],
  ])('are %s', async (_, fee, expected) => {
    const folder = await mkdtemp(join(tmpdir(), 'ledgerlens-schedule-'));
    try {
      const feeScheduleFile = join(folder, 'schedule.json');
      const schedule = smallSchedule();
      const extras = fee === null ? [] : [{ name: 'GAS', fee }];
      await writeFile(
        feeScheduleFile,
        JSON.stringify({ ...schedule, extras: [...schedule.extras, ...extras] }),
      );
      await open([5], { rates: [receipt(10, 2)] }, { feeScheduleFile });
      expect(await fees()).toEqual(expected);
      expect(await ofResults()).toEqual([fee === null ? null : 1000]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('take later rates where the schedule is known', async () => {
    const filePieces = [piece(113n, 1, simple(100n)), piece(112n, 30, rates(3))];
    await open([5], { rates: [receipt(20, 2)], filePieces });
    expect(await fees('?timestamp=5')).toEqual({ gas: 200, timestamp: printed(1), schedule: undefined });
    expect(await ofResults()).toEqual([200]);
  });

  test.each(['gt:0', 'gte:0', 'lt:5', 'lte:5', 'eq:5&timestamp=eq:5', 'gte:0&timestamp=lte:5'])(
    'are not told for ?timestamp=%s',
    async (bounds) => {
      await open([], { rates: [receipt(1, 2)] });
      expect(await fees(`?timestamp=${bounds}`)).toEqual(missing('0.0.113'));
    },
  );

  test('need rates', async () => {
    await open([5], { filePieces: [piece(113n, 10, simple(100n))] });
    expect([await fees(), await fees('?timestamp=5')]).toEqual([missing('0.0.112'), missing('0.0.113')]);
    expect(await ofResults()).toEqual([null]);
  });

  test('are not told when earliest values are off', async () => {
    const filePieces = [piece(113n, 20, simple(100n)), piece(112n, 30, rates(3))];
    await open([5, 25, 35], { filePieces }, { earliestValue: false });
    expect([await fees('?timestamp=5'), await fees('?timestamp=25')]).toEqual([
      missing('0.0.113'),
      missing('0.0.112'),
    ]);
    expect(await ofResults()).toEqual([null, null, 300]);
  });

  test('are those that another mirror told', async () => {
    const told = { asOf: time(10), scheduleTimestamp: time(2), prices: [{ kind: 'ContractCall', gas: 77n }] };
    await open([5, 15], { rates: [receipt(1, 2)], gasPrices: [told] });
    expect(await fees('?timestamp=15')).toEqual({ gas: 77, timestamp: printed(2), schedule: undefined });
    expect(await fees('?timestamp=5')).toMatchObject({ schedule: 'bundled' });
    expect(await ofResults()).toEqual([Number(GAS * 2n), 77]);
  });
});
