import { beforeEach, describe, expect, test } from 'vitest';
import { entityId } from '../../values/entity-id.ts';
import type { FileVersion } from '../ledger/files/file-repository.ts';
import { messages } from '../protobuf/messages.ts';
import { createGasPriceAt } from './gas-price-at.ts';

const RATES = entityId(112n);
const SIMPLE = entityId(113n);
const SCHEDULES = entityId(111n);
const nothing = async () => null;
const rate = { hbarEquiv: 1, centEquiv: 10, expirationTime: { seconds: 1_000_000n } };

/** What a call costs by the schedule, thousandths of a tinycent. */
const schedule = (gas: bigint) =>
  messages.CurrentAndNextFeeSchedule.encode({
    currentFeeSchedule: {
      transactionFeeSchedule: [{ hederaFunctionality: 6, fees: [{ servicedata: { gas } }] }],
    },
  });

describe('the gas price at a time', () => {
  /** Of each file, in the order of time. */
  let stored: Map<bigint, FileVersion[]>;
  let looks: number;
  let edition: string;
  let pause: Promise<void> | null;

  const store = (file: bigint, at: bigint, contents: Uint8Array, begun = at) =>
    stored.set(file, [...(stored.get(file) ?? []), { contents, firstTimestamp: begun, lastTimestamp: at }]);
  const create = (maxFileAttempts = 12) =>
    createGasPriceAt({
      files: {
        async newestVersion(file, _lower, upper) {
          looks += 1;
          const found = stored.get(file)?.findLast(({ lastTimestamp }) => lastTimestamp <= upper) ?? null;
          await pause;
          return found;
        },
        firstVersion: () => Promise.reject(new Error('nobody asks for it')),
      },
      network: { statedGasPrices: nothing, newestRates: nothing, oldestRates: nothing },
      home: { shard: 0n, realm: 0n },
      maxFileAttempts,
      answersEarliest: false,
      initialGasPrice: null,
      edition: () => edition,
    });

  beforeEach(() => {
    stored = new Map();
    looks = 0;
    edition = 'one';
    pause = null;
    store(RATES, 1n, messages.ExchangeRateSet.encode({ currentRate: rate, nextRate: rate }));
  });

  test('is that of the version of its time, which is read once', async () => {
    store(SCHEDULES, 10n, schedule(100_000n));
    store(SCHEDULES, 20n, schedule(200_000n));
    const at = create();
    expect(await at(30n)).toBe(20n);
    const before = looks;
    expect(await at(25n)).toBe(20n);
    expect(looks).toBe(before);
    expect(await at(19n)).toBe(10n);
    expect(await at(9n)).toBeNull();
  });

  test.each([[[22n, 30n]], [[30n, 22n]]])(
    'is that of a version until it is broken by what is appended, whichever time comes first: %s',
    async (times) => {
      store(SCHEDULES, 10n, schedule(100_000n));
      store(SCHEDULES, 20n, schedule(200_000n));
      store(SCHEDULES, 25n, Uint8Array.of(0xff), 20n);
      const at = create();
      for (const time of times) expect([time, await at(time)]).toEqual([time, time < 25n ? 20n : 10n]);
    },
  );

  test('is that of the simple schedule from when there is one, as network/fees has it', async () => {
    store(SCHEDULES, 10n, schedule(100_000n));
    const gas = { name: 5, fee: 710n };
    store(SIMPLE, 20n, messages.SimpleFeeSchedule.encode({ extras: [gas] }));
    const at = create();
    expect([await at(19n), await at(20n), await at(30n)]).toEqual([10n, 71n, 71n]);
  });

  test('is none of a legacy schedule once there is a simple one, even if that cannot be read', async () => {
    store(SCHEDULES, 10n, schedule(100_000n));
    store(SIMPLE, 20n, Uint8Array.of(0xff));
    const at = create();
    expect([await at(30n), await at(19n), await at(20n)]).toEqual([null, 10n, null]);
  });

  test('a version that cannot be read is left out, and where none can be is looked for once', async () => {
    store(SCHEDULES, 10n, schedule(100_000n));
    for (const time of [20n, 21n, 22n]) store(SCHEDULES, time, Buffer.from('broken'));
    const at = create(3);
    expect(await at(40n)).toBeNull();
    const before = looks;
    expect(await at(30n)).toBeNull();
    expect(await at(22n)).toBeNull();
    expect(looks).toBe(before);
    expect(await at(21n)).toBe(10n);
    expect(await at(12n)).toBe(10n);
  });

  test('what a slow look finds does not outlive a change of the files', async () => {
    const at = create();
    let go = () => {};
    pause = new Promise((resolve) => {
      go = resolve;
    });
    const slow = at(30n);
    await new Promise(setImmediate);
    pause = null;
    store(SCHEDULES, 10n, schedule(100_000n));
    edition = 'two';
    expect(await at(5n)).toBeNull();
    go();
    await slow;
    expect(await at(30n)).toBe(10n);
  });
});
