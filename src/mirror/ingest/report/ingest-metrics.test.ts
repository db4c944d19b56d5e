import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../values/clock.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { nodeText } from '../record-file/unit-files.ts';
import { registerIngestMetrics } from './ingest-metrics.ts';
import { idleState, Rejections } from './ingest-state.ts';

test('refusals are counted by source, node and code, the lag by source', async () => {
  const rejections = new Rejections();
  rejections.add(nodeText({ kind: 'account', account: 3n }), 'bad_signature');
  rejections.add(nodeText({ kind: 'account', account: 3n }), 'bad_signature');
  rejections.add(nodeText({ kind: 'node', nodeId: 7n }), 'file_hash_mismatch');
  rejections.add(nodeText(null), 'chain_mismatch');
  const state = {
    ...idleState('/streams'),
    lastConsensusTimestamp: consensusTimestamp(1_700_000_000_000_000_000n),
    rejections: rejections.counts(),
    state: 'gap' as const,
    units: 7,
    uncheckable: 2,
    standing: {
      node: 'b:2',
      newest: { blockNumber: 9n, time: consensusTimestamp(1_700_000_003_500_000_000n) },
      notes: [],
    },
  };
  const registry = new Registry();
  const clock = new ManualClock(1_700_000_012_000);
  registerIngestMetrics(
    registry,
    () => [state, idleState('/empty')],
    clock,
    () => 3,
  );
  await registry.metrics();
  const lines = (await registry.metrics()).split('\n').filter((line) => !line.startsWith('#') && line !== '');
  expect(lines).toEqual([
    'ledgerlens_ingest_rejections_total{source="/streams",node="0.0.3",code="bad_signature"} 2',
    'ledgerlens_ingest_rejections_total{source="/streams",node="7",code="file_hash_mismatch"} 1',
    'ledgerlens_ingest_rejections_total{source="/streams",node="",code="chain_mismatch"} 1',
    'ledgerlens_ingest_missing_sidecars 3',
    'ledgerlens_ingest_units{source="/streams"} 7',
    'ledgerlens_ingest_units{source="/empty"} 0',
    'ledgerlens_ingest_uncheckable_units{source="/streams"} 2',
    'ledgerlens_ingest_uncheckable_units{source="/empty"} 0',
    'ledgerlens_ingest_failing{source="/streams"} 1',
    'ledgerlens_ingest_failing{source="/empty"} 0',
    'ledgerlens_ingest_network_lag_seconds{source="/streams"} 3.5',
    'ledgerlens_ingest_node{source="/streams",node="b:2"} 1',
    'ledgerlens_ingest_lag_seconds{source="/streams"} 12',
  ]);
});
