import { expect, test } from 'vitest';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { describeIngestState } from './ingest-state.ts';

test('describeIngestState tells the lag in whole seconds and prints exact times', () => {
  const state = {
    source: 'folder',
    state: 'finished',
    verification: 'signatures',
    lastConsensusTimestamp: consensusTimestamp(1_700_000_000_000_000_001n),
    lastUnit: 'a.rcd',
    gap: null,
    error: null,
    rejections: [],
  } as const;
  expect(describeIngestState(state, 1_700_000_042_999)).toEqual({
    source: 'folder',
    state: 'finished',
    verification: 'signatures',
    lastUnit: 'a.rcd',
    lastConsensusTimestamp: '1700000000.000000001',
    lagSeconds: 42,
    gap: null,
  });
  expect(describeIngestState({ ...state, lastConsensusTimestamp: null }, 0)).toMatchObject({
    lagSeconds: null,
  });
});
