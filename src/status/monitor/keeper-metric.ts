import { Gauge, type Registry } from 'prom-client';
import type { PageKeeping } from '../store/page-keeping.ts';

/** Registers which replica keeps the page. */
export function registerKeeperMetric(registry: Registry, keeping: PageKeeping): void {
  new Gauge({
    name: 'ledgerlens_status_keeper',
    help: '1 where the server carries on the maintenances of the status page and sends its news: one of all replicas',
    registers: [registry],
    collect() {
      this.set(keeping.isKeeper() ? 1 : 0);
    },
  });
}
