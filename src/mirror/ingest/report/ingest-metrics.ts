import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../../values/clock.ts';
import { NANOS_PER_SECOND } from '../../../values/consensus-timestamp.ts';
import type { IngestState } from './ingest-state.ts';

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
    help: 'Units, record files and signatures that were refused, by reason',
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
    help: 'Sidecars that stored record files name and no source had',
    registers: [registry],
    collect() {
      this.set(missingSidecars());
    },
  });
  new Gauge({
    name: 'ledgerlens_ingest_lag_seconds',
    help: 'Time since the consensus of the last stored transaction',
    labelNames: ['source'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { lastConsensusTimestamp: last, source } of states()) {
        if (last !== null) this.set({ source }, clock.now() / 1000 - Number(last / NANOS_PER_SECOND));
      }
    },
  });
}
