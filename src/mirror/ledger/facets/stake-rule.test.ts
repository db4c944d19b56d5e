import { expect, test } from 'vitest';
import { type EndedPeriod, type FormerStake, rewardAfter } from './stake-rule.ts';

const former: FormerStake = { node: 3n, total: 1_099_999_999n, pending: 50n, totalYearBefore: 899_999_999n };
const period: EndedPeriod = { day: 1000n, rate: 7n, rateYearBefore: 2n };

// 10 whole hbars: 70 a day. 8 of them a year before: what that day had added is 16.
test.each<[string, FormerStake | null, bigint, Partial<EndedPeriod>, bigint]>([
  ['without a former row', null, 900n, {}, 0n],
  ['not staked to a node before', { ...former, node: -1n }, 900n, {}, 0n],
  ['the node has no stake', former, 900n, { rate: null }, 50n],
  ['the node has no stake, and the stake is new', former, 1000n, { rate: null }, 50n],
  ['staked in the period', former, 1000n, {}, 0n],
  ['staked after it', former, 1001n, {}, 0n],
  ['the first whole period', former, 999n, {}, 70n],
  ['one more period', former, 998n, {}, 120n],
  ['365 periods', former, 635n, {}, 120n],
  ['more than 365 periods', former, 634n, {}, 104n],
  ['more than 365 periods, the first without a rate', former, 634n, { rateYearBefore: null }, 120n],
  ['more than 365 periods, the first without a row', { ...former, totalYearBefore: null }, 634n, {}, 120n],
  ['more than 365 periods, the first with all there is', former, 634n, { rateYearBefore: 15n }, 0n],
  ['more than 365 periods, the first with more', former, 634n, { rateYearBefore: 16n }, 0n],
  ['the node has no stake, 365 periods', former, 635n, { rate: null }, 50n],
  ['the node has no stake, more than 365 periods', former, 634n, { rate: null }, 34n],
  ['the node has no stake, and less is left', { ...former, pending: 15n }, 634n, { rate: null }, 0n],
  ['less than an hbar', { ...former, total: 99_999_999n }, 900n, {}, 50n],
  ['more than there can be', { ...former, total: 2n ** 63n - 1n }, 900n, { rate: 2n ** 62n }, 0n],
])('the reward after a period: %s', (_, row, start, changed, expected) => {
  expect(rewardAfter(row, start, { ...period, ...changed })).toBe(expected);
});
