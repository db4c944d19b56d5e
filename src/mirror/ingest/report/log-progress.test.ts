import { expect, test } from 'vitest';
import { ManualClock } from '../../../values/clock.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { type IngestState, idleState } from './ingest-state.ts';
import { logProgress } from './pace.ts';

const NOW = 1_700_000_000_000;
const at = (secondsAgo: number) => consensusTimestamp(BigInt(NOW / 1000 - secondsAgo) * 1_000_000_000n);
const pace = { unitsPerSecond: 10, transactionsPerSecond: 50, ledgerSecondsPerSecond: 21 };

function linesOf(isWatched: boolean, state: Partial<IngestState>, unitsDone = 100) {
  const lines: string[] = [];
  const clock = new ManualClock(NOW - 10_000);
  const tell = logProgress({ info: (_fields, message) => lines.push(message), warn: () => {} }, clock);
  clock.set(NOW);
  const progress = { unitsDone, unitsTotal: 700, transactions: 5, name: 'x.rcd', isWatched };
  for (let unit = 0; unit < 3; unit++) {
    tell({ ...progress, state: { ...idleState('s3://bucket'), ...state } });
  }
  return lines;
}

test('an import tells once in five seconds how much is left', () => {
  expect(linesOf(false, { pace })).toEqual([
    'importing: 100 of 700 units, x.rcd, 10 units/s, about 1 min left',
  ]);
  expect(linesOf(false, { pace }, 699)).toEqual([]);
});

test('a source that lies behind tells when it will have caught up, one that keeps up tells nothing', () => {
  const behind = { lastConsensusTimestamp: at(7200), pace };
  expect(linesOf(true, behind)).toEqual([
    'importing from s3://bucket: x.rcd, 10 units/s, 2 h 0 min behind, caught up in about 6 min',
  ]);
  expect(linesOf(true, { ...behind, pace: { ...pace, ledgerSecondsPerSecond: 0.5 } })).toEqual([
    'importing from s3://bucket: x.rcd, 10 units/s, 2 h 0 min behind',
  ]);
  expect(linesOf(true, { ...behind, lastConsensusTimestamp: at(5) })).toEqual([]);
  // A network that stands still is caught up with at its end.
  const newest = { blockNumber: null, time: at(7190) };
  expect(linesOf(true, { ...behind, standing: { node: null, newest, notes: [] } })).toEqual([]);
});
