import { expect, test } from 'vitest';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { createSourceState, describeIngestState, idleState } from './ingest-state.ts';

test('describeIngestState tells the lag in whole seconds and prints exact times', () => {
  const state = {
    ...idleState('folder'),
    state: 'finished',
    verification: 'signatures',
    proof: null,
    lastConsensusTimestamp: consensusTimestamp(1_700_000_000_000_000_001n),
    lastUnit: 'a.rcd',
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
  expect(describeIngestState({ ...state, proof: 'generation 2' }, 0)).toMatchObject({
    proof: 'generation 2',
  });
});

test('describeIngestState tells how far the network is ahead, and who told it', () => {
  const time = consensusTimestamp(1_700_000_012_500_000_000n);
  const state = {
    ...idleState('block nodes a:1, b:2'),
    lastConsensusTimestamp: consensusTimestamp(1_700_000_000_000_000_000n),
    lastBlock: 41n,
    standing: { node: 'b:2', newest: { blockNumber: 44n, time }, notes: ['not linked'] },
  };
  expect(describeIngestState(state, 1_700_000_020_000)).toMatchObject({
    lagSeconds: 20,
    network: { block: 44, consensusTimestamp: '1700000012.500000000', secondsBehind: 12.5, blocksBehind: 3 },
    node: 'b:2',
    notes: ['not linked'],
  });
  const unknown = { node: null, newest: { blockNumber: 40n, time: null }, notes: [] };
  expect(describeIngestState({ ...state, standing: unknown }, 0)).toMatchObject({
    network: { block: 40, consensusTimestamp: null, secondsBehind: null, blocksBehind: 0 },
  });
  const silent = { node: null, newest: null, notes: [] };
  expect(describeIngestState({ ...state, standing: silent }, 0)).toMatchObject({ network: null });
});

test('a source is not believed a block that its network cannot have made yet', () => {
  const now = 1_700_000_020_000;
  const source = createSourceState('block nodes a:1');
  const says = (blockNumber: bigint) => {
    const time = consensusTimestamp(1_700_000_900_000_000_000n);
    source.tells({ node: 'a:1', newest: { blockNumber, time }, notes: ['not linked'] }, now);
    return source.current();
  };
  // An empty ledger tells nothing of its network.
  expect(says(10n ** 12n).standing).toMatchObject({
    newest: { blockNumber: 10n ** 12n },
    notes: ['not linked'],
  });
  const pace = { unitsPerSecond: 1, transactionsPerSecond: 1, ledgerSecondsPerSecond: 11 };
  source.change({
    state: 'running',
    pace,
    lastConsensusTimestamp: consensusTimestamp(1_699_999_920_000_000_000n),
    lastBlock: 41n,
  });
  const boast = says(10n ** 12n);
  expect(boast.standing?.newest).toBeNull();
  // The lag of 100 seconds, not what the source says.
  expect(describeIngestState(boast, now)).toMatchObject({
    network: null,
    pace: { secondsToCatchUp: 10 },
    notes: [
      'not linked',
      'the source claims block 1000000000000, more than its network can have made since block 41',
    ],
  });
  expect(describeIngestState(says(41n + 16_000n), now)).toMatchObject({
    network: { blocksBehind: 16_000, secondsBehind: 980 },
    pace: { secondsToCatchUp: 98 },
  });
  expect(says(41n + 16_001n).standing?.newest).toBeNull();
});
