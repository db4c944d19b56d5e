import { expect, test } from 'vitest';
import { parseLegacySchedule } from '../../src/mirror/network/gas-prices.ts';
import { gasPriceFile } from './system-files.ts';

test('the file of gas prices is one that the network object can read', () => {
  const { contents, num } = gasPriceFile();
  expect(num).toBe(111n);
  expect(parseLegacySchedule(contents)?.current).toEqual([
    { kind: 'ContractCall', tinycents: 852n, thousandths: 852_000n },
    { kind: 'ContractCreate', tinycents: 852n, thousandths: 852_000n },
    { kind: 'EthereumTransaction', tinycents: 852n, thousandths: 852_000n },
  ]);
});
