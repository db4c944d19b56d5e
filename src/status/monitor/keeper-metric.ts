import { Gauge, type Registry } from 'prom-client';
import type { PageKeeping } from '../store/page-keeping.ts';

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
