import { expect, test } from 'vitest';
import { pendingReward, type StakeRow, type StakeSettings } from './stakes.ts';

const DAY = 86_400_000_000_000n;
const stake: StakeRow = { account: 5n, endStakePeriod: 10n, pendingReward: 7n };
const settings: StakeSettings = { declinesReward: false, stakedNode: 0n, stakePeriodStart: 9n * DAY };

test.each<[string, StakeRow | null, Partial<StakeSettings>, bigint]>([
  ['without a stake row', null, {}, 0n],
  ['staked to node 0', stake, {}, 7n],
  ['what is declined is unknown', stake, { declinesReward: null }, 7n],
  ['declined', stake, { declinesReward: true }, 0n],
  ['not staked to a node', stake, { stakedNode: null }, 0n],
  ['staked to node -1, which is none', stake, { stakedNode: -1n }, 0n],
  ['staked since the period that ended', stake, { stakePeriodStart: 10n * DAY }, 0n],
  ['staked since an unknown time', stake, { stakePeriodStart: null }, 7n],
])('a pending reward: %s', (_, row, changed, expected) => {
  expect(pendingReward(row, { ...settings, ...changed })).toBe(expected);
});
