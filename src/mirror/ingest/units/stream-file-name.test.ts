import { describe, expect, test } from 'vitest';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { parseStreamFileName, recordFileName, streamInstant } from './stream-file-name.ts';

describe('parseStreamFileName', () => {
  test.each([
    ['2019-07-01T14_13_00.317763Z.rcd', 'record', 1_561_990_380_317_763_000n],
    ['2019-09-13T21_53_51Z.rcd_sig', 'signature', 1_568_411_631_000_000_000n],
    ['2022-07-13T08_46_11.304284003Z.rcd.gz', 'record', 1_657_701_971_304_284_003n],
    ['2022-07-13T08_46_11.304284003Z_01.rcd.gz', 'sidecar', 1_657_701_971_304_284_003n],
    ['2022-07-13T08_46_11.25Z.rcd', 'record', 1_657_701_971_250_000_000n],
  ])('%s is a %s of its instant', (name, kind, instant) => {
    expect(parseStreamFileName(name)).toMatchObject({ kind, instant });
  });

  test('a sidecar tells its number, a signature in a flat folder its node', () => {
    expect(parseStreamFileName('2022-07-13T08_46_11.304284003Z_12.rcd')).toMatchObject({ id: 12 });
    expect(parseStreamFileName('node_0.0.35.rcd_sig')).toEqual({ kind: 'node-signature', account: '0.0.35' });
  });

  test.each([
    '2022-02-30T08_46_11Z.rcd',
    '2022-07-13T25_46_11Z.rcd',
    '2022-07-13T08_46_11Z.RCD',
    '2022-07-13T08:46:11Z.rcd',
    '2022-07-13T08_46_11.1234567890Z.rcd',
    '2022-07-13T08_46_11Z_01.rcd_sig',
    '2022-07-13T08_46_11Z_Balances.pb.gz',
    '1969-12-31T23_59_59Z.rcd',
    'address_book.bin',
  ])('%s is ignored', (name) => {
    expect(parseStreamFileName(name)).toBeNull();
  });
});

test('streamInstant prints what the parser reads', () => {
  const instant = consensusTimestamp(1_657_701_971_304_284_003n);
  expect(streamInstant(instant)).toBe('2022-07-13T08_46_11.304284003Z');
  expect(parseStreamFileName(`${streamInstant(instant)}.rcd`)).toMatchObject({ instant });
});

/** @see contracts/mirror-contracts.md section 9.3 */
test.each([
  [0n, '2022-07-13T08_46_00Z.rcd'],
  [120_000_000n, '2022-07-13T08_46_00.120Z.rcd'],
  [396_440_000n, '2022-07-13T08_46_00.396440Z.rcd'],
  [100_000n, '2022-07-13T08_46_00.000100Z.rcd'],
  [304_284_000n, '2022-07-13T08_46_00.304284Z.rcd'],
  [1_000_000n, '2022-07-13T08_46_00.001Z.rcd'],
  [10n, '2022-07-13T08_46_00.000000010Z.rcd'],
])('a record file of %d ns after a second is named %s', (nanos, name) => {
  expect(recordFileName(consensusTimestamp(1_657_701_960_000_000_000n + nanos))).toBe(name);
});
