import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../../values/clock.ts';
import { NANOS_PER_SECOND } from '../../../values/consensus-timestamp.ts';
import type { IngestState } from './ingest-state.ts';
import { secondsBehind } from './pace.ts';

/**
 * Figures of every source, read when they are asked for.
 *
 * @see contracts/streams.md section 15
 */
export function registerIngestMetrics(
  registry: Registry,
  states: () => readonly IngestState[],
  clock: Clock,
  missingSidecars: () => number,
): void {
  new Counter({
    name: 'ledgerlens_ingest_rejections_total',
    help: 'Rejected units, record files and signatures, by reason',
    labelNames: ['source', 'node', 'code'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { rejections, source } of states()) {
        for (const { code, count, node } of rejections) this.inc({ source, node, code }, count);
      }
    },
  });
  new Gauge({
    name: 'ledgerlens_ingest_missing_sidecars',
    help: 'Sidecars that stored record files name but no source had',
    registers: [registry],
    collect() {
      this.set(missingSidecars());
    },
  });
  gaugeOf(registry, states, {
    name: 'ledgerlens_ingest_units',
    help: 'Units received from the source since the process started',
    value: ({ units }) => units,
  });
  gaugeOf(registry, states, {
    name: 'ledgerlens_ingest_uncheckable_units',
    help: 'Units stored at level chain since the process started because their proofs cannot be checked although the ledger id is pinned',
    value: ({ uncheckable }) => uncheckable,
  });
  gaugeOf(registry, states, {
    name: 'ledgerlens_ingest_failing',
    help: '1 while the source cannot be read, refuses access or has a gap',
    value: ({ state }) => (['failed', 'gap', 'fork'].includes(state) ? 1 : 0),
  });
  gaugeOf(registry, states, {
    name: 'ledgerlens_ingest_network_lag_seconds',
    help: 'Consensus time between the last stored transaction and the newest one known to the source',
    value: (state) => {
      const newest = state.standing?.newest ?? null;
      return newest === null ? null : secondsBehind(newest, state);
    },
  });
  new Gauge({
    name: 'ledgerlens_ingest_node',
    help: '1 for the node that the source is using',
    labelNames: ['source', 'node'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { source, standing } of states()) {
        if (standing?.node != null) this.set({ source, node: standing.node }, 1);
      }
    },
  });
  gaugeOf(registry, states, {
    name: 'ledgerlens_ingest_lag_seconds',
    help: 'Time since the consensus of the last stored transaction',
    value: ({ lastConsensusTimestamp: last }) =>
      last === null ? null : clock.now() / 1000 - Number(last / NANOS_PER_SECOND),
  });
}

interface SourceGauge {
  readonly name: string;
  readonly help: string;
  /** Null where there is nothing to tell. */
  readonly value: (state: IngestState) => number | null;
}

function gaugeOf(
  registry: Registry,
  states: () => readonly IngestState[],
  { help, name, value }: SourceGauge,
): void {
  new Gauge({
    name,
    help,
    labelNames: ['source'],
    registers: [registry],
    collect() {
      this.reset();
      for (const state of states()) {
        const found = value(state);
        if (found !== null) this.set({ source: state.source }, found);
      }
    },
  });
}
