import { Gauge, type Registry } from 'prom-client';
import type { StatusService } from './status/index.ts';
import type { Maintenance } from './store/store.ts';

/** What the figures of the server as a whole are read from. */
export interface ServerMetricsParts {
  readonly version: string;
  readonly gitCommit: string;
  readonly maintenance: Pick<Maintenance, 'size' | 'freeShare'>;
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
  new Gauge({
    name: 'ledgerlens_database_bytes',
    help: 'Bytes of the database by kind: pages in use, free pages, and what is written but not yet moved into pages',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset();
      const size = await parts.maintenance.size();
      if (size === null) return;
      this.set({ kind: 'used' }, size.bytes - size.freeBytes);
      this.set({ kind: 'free' }, size.freeBytes);
      this.set({ kind: 'log' }, size.logBytes);
    },
  });
  new Gauge({
    name: 'ledgerlens_disk_free_ratio',
    help: 'Free share of the disk under the database, 0 to 1',
    registers,
    async collect() {
      const share = await parts.maintenance.freeShare();
      if (share !== null) this.set(share);
    },
  });
  new Gauge({
    name: 'ledgerlens_status_component',
    help: '1 for the status that a component of the status page has now',
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
