import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { smallSchedule, smallScheduleBytes } from '../../../../test/kit/mirror/fees/schedules.ts';
import { sharedPath } from '../../../../test/shared-data.ts';
import { testShared } from '../../../../test/support/shared-suites.ts';
import { type MessageObject, messages } from '../../protobuf/messages.ts';
import { InvalidFeeScheduleError } from '../fee-errors.ts';
import {
  decodeFeeSchedule,
  type FeeSchedule,
  parseFeeScheduleJson,
  readBundledSchedule,
  readFeeScheduleFile,
} from './fee-schedule.ts';

const minimal = smallSchedule();

describe('parseFeeScheduleJson', () => {
  test('reads prices, references, curves and flags', () => {
    const schedule = parseFeeScheduleJson(minimal);
    expect(schedule.node).toEqual({ baseFee: 100n, extras: [{ name: 'SIGNATURES', includedCount: 1n }] });
    expect(schedule.networkMultiplier).toBe(9n);
    expect(schedule.extraFees.get('KEYS')).toBe(70n);
    expect(schedule.definitions.get('CryptoCreate')).toEqual({
      functionality: 'CryptoCreate',
      baseFee: 500n,
      extras: [{ name: 'KEYS', includedCount: 1n }],
      free: false,
      nodeNetworkFeeExempt: false,
      highVolumeRates: {
        maxMultiplier: 9000n,
        points: [
          { utilization: 10n, multiplier: 4000n },
          { utilization: 20n, multiplier: 8000n },
        ],
      },
    });
    expect(schedule.definitions.get('ContractCall')?.nodeNetworkFeeExempt).toBe(true);
  });

  test('ignores members it does not know and takes 64-bit texts', () => {
    const schedule = parseFeeScheduleJson({
      ...minimal,
      unreadable: { feeValue: 100 },
      node: { baseFee: '9223372036854775807' },
    });
    expect(schedule.node.baseFee).toBe(9_223_372_036_854_775_807n);
  });

  const services = [{ name: 'S', schedule: [{ name: 'CryptoDelete' }] }];
  const twice = [{ name: 'CryptoDelete' }, { name: 'CryptoDelete' }];
  const withExtras = (...extras: readonly unknown[]) => [{ name: 'S', schedule: [{ name: 'A', extras }] }];
  test.each<[string, Record<string, unknown>]>([
    ['the node fee is missing', { node: undefined }],
    ['the network fee is missing', { network: null }],
    ['the network multiplier is less than 1', { network: {} }],
    ['there is no service', { services: [] }],
    ['two services are named S', { services: [...services, ...services] }],
    ['the service S has no definition', { services: [{ name: 'S' }] }],
    ['the service S defines CryptoDelete twice', { services: [{ name: 'S', schedule: twice }] }],
    [
      'the extra KEYS is defined twice',
      {
        extras: [
          { name: 'KEYS', fee: 1 },
          { name: 'KEYS', fee: 2 },
        ],
      },
    ],
    ['the fee of the extra KEYS is less than 1', { extras: [{ name: 'KEYS' }] }],
    ['A names the undefined extra GAS', { services: withExtras({ name: 'GAS' }) }],
    ['A names the extra KEYS twice', { services: withExtras({ name: 'KEYS' }, { name: 'KEYS' }) }],
    [
      'the included count of KEYS in A is outside',
      { services: withExtras({ name: 'KEYS', includedCount: -1 }) },
    ],
    ['the node base fee is outside', { node: { baseFee: -1 } }],
    ['the node base fee is outside', { node: { baseFee: '9223372036854775808' } }],
    ['schedule.node.baseFee must be an exact integer', { node: { baseFee: 1.5 } }],
    ['schedule.node.baseFee must be an exact integer', { node: { baseFee: 2 ** 60 } }],
    ['schedule.extras[0].name must be a text', { extras: [{ fee: 1 }] }],
    ['schedule.services must be a list', { services: {} }],
    ['schedule.node must be an object', { node: 5 }],
  ])('refuses: %s', (problem, change) => {
    expect(() => parseFeeScheduleJson({ ...minimal, ...change })).toThrow(`invalid fee schedule: ${problem}`);
  });
});

describe('decodeFeeSchedule', () => {
  test('reads the binary form to the same schedule', () => {
    expect(decodeFeeSchedule(smallScheduleBytes())).toEqual(parseFeeScheduleJson(minimal));
  });

  test('keeps numbers that have no name', () => {
    const bytes = messages.SimpleFeeSchedule.encode({
      node: { baseFee: 1n },
      network: { multiplier: 1 },
      extras: [{ name: 9999, fee: 5n }],
      services: [{ name: 'S', schedule: [{ name: 9998, extras: [{ name: 9999 }] }] }],
    } as MessageObject);
    const schedule = decodeFeeSchedule(bytes);
    expect(schedule.definitions.get('9998')?.extras).toEqual([{ name: '9999', includedCount: 0n }]);
  });

  test.each([
    ['nothing', new Uint8Array(0)],
    ['half a schedule', smallScheduleBytes().subarray(0, 40)],
    ['text', Buffer.from('hello')],
  ])('refuses %s', (_name, bytes) => {
    expect(() => decodeFeeSchedule(bytes)).toThrow(InvalidFeeScheduleError);
  });
});

describe('readFeeScheduleFile', () => {
  test('tells JSON and binary apart', () => {
    const json = Buffer.from(`\n ${JSON.stringify(minimal)}`);
    expect(readFeeScheduleFile(json)).toEqual(readFeeScheduleFile(smallScheduleBytes()));
  });

  test('says when it is neither', () => {
    expect(() => readFeeScheduleFile(Buffer.from('{"node":'))).toThrow('the file is not JSON');
  });
});

describe('readBundledSchedule', () => {
  test('has the prices that people know', () => {
    const { node, networkMultiplier, definitions, extraFees } = readBundledSchedule();
    const total = (functionality: string) =>
      node.baseFee * (1n + networkMultiplier) + (definitions.get(functionality)?.baseFee ?? -1n);
    expect(total('CryptoCreate')).toBe(500_000_000n);
    expect(total('TokenCreate')).toBe(10_000_000_000n);
    expect(extraFees.get('GAS')).toBe(852n);
    expect(definitions.size).toBe(69);
  });

  testShared('is the ledger schedule of the contract, in both its forms', () => {
    const data = (name: string) => readFileSync(sharedPath('contracts', 'data', name));
    const binary = readFeeScheduleFile(data('simple-fee-schedule.pb'));
    const json = readFeeScheduleFile(data('simple-fee-schedule.json'));
    const bundled = readBundledSchedule();
    expect(sorted(bundled)).toEqual(sorted(binary));
    expect(sorted(bundled)).toEqual(
      sorted({
        ...json,
        definitions: new Map([...json.definitions].filter(([name]) => !name.startsWith('Clpr'))),
      }),
    );
  });
});

/** Order of the tables means nothing, order of references does. */
function sorted(schedule: FeeSchedule) {
  return {
    ...schedule,
    extraFees: Object.fromEntries(schedule.extraFees),
    definitions: Object.fromEntries(schedule.definitions),
  };
}
