import { Counter, Gauge, type Registry } from 'prom-client';
import type { Maintenance } from './store/store.ts';

/** What the figures of the database are read from. */
export type DatabaseFigures = Pick<
  Maintenance,
  'size' | 'freeShare' | 'writes' | 'errors' | 'importLease' | 'ownClock'
>;

/** Registers them; each is read when somebody asks for it, and left out when it cannot be told. */
export function registerDatabaseMetrics(registry: Registry, database: DatabaseFigures): void {
  const registers = [registry];
  new Gauge({
    name: 'ledgerlens_database_bytes',
    help: 'Bytes of the database by kind: pages in use, free pages, and writes not yet moved into pages',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset();
      const size = await database.size();
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
      this.remove();
      const share = await database.freeShare();
      if (share !== null) this.set(share);
    },
  });
  new Gauge({
    name: 'ledgerlens_database_writable',
    help: '1 while the database accepts writes, as observed by this server',
    registers,
    collect() {
      this.set(database.writes().writes === 'working' ? 1 : 0);
    },
  });
  new Counter({
    name: 'ledgerlens_database_errors_total',
    help: 'Database errors by class: busy (may succeed later) and fault (disk, file or connection)',
    labelNames: ['class'],
    registers,
    collect() {
      this.reset();
      for (const [name, count] of Object.entries(database.errors())) this.inc({ class: name }, count);
    },
  });
  new Gauge({
    name: 'ledgerlens_clock_ahead_seconds',
    help: 'How far the clock of this machine is ahead of that of PostgreSQL; negative: behind',
    registers,
    collect() {
      this.remove();
      const clock = database.ownClock();
      if (clock !== null) this.set(clock.aheadMs / 1000);
    },
  });
  registerLease(registry, database);
}

/**
 * Registers those of the pool. They come first in a registry: it reads its metrics in their order, and what asks the
 * database for the others would be counted.
 */
export function registerPoolMetrics(
  registry: Registry,
  { connections }: Pick<Maintenance, 'connections'>,
): void {
  new Gauge({
    name: 'ledgerlens_database_connections',
    help: 'Connections of the PostgreSQL pool, by state: busy, idle, and most (the maximum)',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const pool = connections();
      if (pool === null) return;
      for (const state of ['busy', 'idle', 'most'] as const) this.set({ state }, pool[state]);
    },
  });
  new Gauge({
    name: 'ledgerlens_database_waiting',
    help: 'Reads and writes waiting for a connection to PostgreSQL',
    registers: [registry],
    collect() {
      this.remove();
      const pool = connections();
      if (pool !== null) this.set(pool.waiting);
    },
  });
}

function registerLease(registry: Registry, { importLease }: DatabaseFigures): void {
  new Gauge({
    name: 'ledgerlens_import_lease_held',
    help: '1 while any replica holds the import lease',
    registers: [registry],
    async collect() {
      this.remove();
      const lease = await importLease();
      if (lease !== null) this.set(lease.isHeld ? 1 : 0);
    },
  });
  new Counter({
    name: 'ledgerlens_import_lease_taken_total',
    help: 'How often a replica took the import lease, according to the database: the same on each replica',
    registers: [registry],
    async collect() {
      this.reset();
      const lease = await importLease();
      if (lease !== null) this.inc(lease.taken);
    },
  });
}
