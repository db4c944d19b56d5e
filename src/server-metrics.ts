import { Gauge, type Registry } from 'prom-client';
import { type DatabaseFigures, registerDatabaseMetrics } from './database-metrics.ts';
import type { StatusService } from './status/index.ts';

/** What the figures of the server as a whole are read from. */
interface ServerMetricsParts {
  readonly version: string;
  readonly gitCommit: string;
  readonly maintenance: DatabaseFigures;
  readonly components: Pick<StatusService, 'listComponents'>;
}

/** Registers them; each is read when somebody asks for it. */
export function registerServerMetrics(registry: Registry, parts: ServerMetricsParts): void {
  const registers = [registry];
  new Gauge({
    name: 'ledgerlens_build_info',
    help: '1, with version, commit and Node version of this build',
    labelNames: ['version', 'commit', 'node'],
    registers,
  }).set({ version: parts.version, commit: parts.gitCommit, node: process.version }, 1);
  registerDatabaseMetrics(registry, parts.maintenance);
  new Gauge({
    name: 'ledgerlens_status_component',
    help: '1 for the current status of a component of the status page',
    labelNames: ['component', 'status'],
    registers,
    async collect() {
      this.reset();
      for (const { group, name, status } of await parts.components.listComponents()) {
        if (!group) this.set({ component: name, status }, 1);
      }
    },
  });
}
