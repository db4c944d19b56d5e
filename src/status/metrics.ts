import { Counter, Gauge, type Registry } from 'prom-client';
import type { DocumentCache } from '../pages/document-cache.ts';
import type { PageKeeping } from './store/page-keeping.ts';

/** Registers which replica keeps the page. */
export function registerKeeperMetric(registry: Registry, keeping: PageKeeping): void {
  new Gauge({
    name: 'ledgerlens_status_keeper',
    help: '1 if this server runs status-page jobs (maintenances, notifications): one of all replicas',
    registers: [registry],
    collect() {
      this.set(keeping.isKeeper() ? 1 : 0);
    },
  });
}

/** Registers what the cache of pages, documents and feeds does. */
export function registerCacheMetrics(registry: Registry, cache: Pick<DocumentCache, 'figures'>): void {
  new Counter({
    name: 'ledgerlens_status_documents_total',
    help: 'Requested pages, documents and feeds of the status area, by origin: kept or built',
    labelNames: ['origin'],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ origin: 'kept' }, cache.figures.kept);
      this.inc({ origin: 'built' }, cache.figures.built);
    },
  });
  new Gauge({
    name: 'ledgerlens_status_documents_bytes',
    help: 'Bytes of cached pages, documents and feeds',
    registers: [registry],
    collect() {
      this.set(cache.figures.bytes);
    },
  });
}
