import type { Dialect } from '../mirror/dialect.ts';
import type { SnapshotScope } from '../mirror/ledger/balance-snapshots.ts';
import type { MirrorStore } from '../mirror/mirror-store.ts';
import type { StatusStore } from '../status/status-store.ts';
import type { DatabaseHealth } from '../storage/database-health.ts';
import type { WriteState } from '../storage/write-state.ts';
import type { Announcements } from '../values/announcements.ts';
import type { Clock } from '../values/clock.ts';
import type { Log } from '../values/log.ts';
import type { VerifyStore } from '../verify/verify-store.ts';
import type { DatabaseLocation } from './database-url.ts';

/** Everything that is stored: nobody outside knows which database keeps it. */
export interface Store {
  readonly verify: VerifyStore;
  readonly status: StatusStore;
  readonly mirror: MirrorStore;
  readonly maintenance: Maintenance;
  /** What other processes on the database tell. */
  readonly announcements: Announcements;
  /** What all processes on the database store and compare follows this one. */
  readonly clock: Clock;
  /** Remembers everything that is stored; what it returns brings that back. Null: only memory can. */
  readonly snapshot: (() => () => void) | null;
  /** Ends after the writes that wait. May be called twice. */
  close(): Promise<void>;
}

/** What concerns the database as a whole. */
export interface Maintenance {
  readonly health: DatabaseHealth;
  /** Whether it takes writes, as far as is known now. */
  writes(): WriteState;
  /** Why its answers cannot be trusted; null as far as reads have shown. */
  damage(): string | null;
  /** Free share of the disk under it, 0 to 1; null when it has none, or none that can be seen from here. */
  freeShare(): Promise<number | null>;
  /** What the database takes; null when that cannot be told now. */
  size(): Promise<DatabaseSize | null>;
  /** Errors of the database in this process so far: of its load, and of its state. */
  errors(): { readonly busy: number; readonly fault: number };
  /** Connections of this process; null where there is no pool of them. */
  connections(): PoolState | null;
  /** How the clock of this machine is set beside the database's; null where they are one. */
  ownClock(): OwnClock | null;
  /** Who imports into the ledger; null where one process alone has the database. */
  importLease(): Promise<ImportLeaseState | null>;
  /** By which another thread opens the same database; null when no other can. */
  readonly shared: SharedStore | null;
}

/** Connections to a database. */
interface PoolState {
  readonly busy: number;
  readonly idle: number;
  /** The most that there may be. */
  readonly most: number;
  /** Reads and writes that wait for one. */
  readonly waiting: number;
}

/** The clock of a machine beside that of its database. */
interface OwnClock {
  /** Negative behind it, milliseconds. */
  readonly aheadMs: number;
  /** What is wrong with it, in words; null while nothing is. */
  readonly warning: string | null;
}

/** The right of one of several processes to import. */
interface ImportLeaseState {
  readonly isHeld: boolean;
  /** How often it was taken so far, by whomever. */
  readonly taken: number;
}

/** Bytes of a database. */
interface DatabaseSize {
  /** All of its pages. */
  readonly bytes: number;
  /** Of pages that are free for new rows. */
  readonly freeBytes: number;
  /** Written and not yet moved into the pages. */
  readonly logBytes: number;
}

/** The part of the configuration that storing and reading depend on; plain data. */
export interface StoreConfig {
  readonly database: DatabaseLocation;
  readonly mirror: {
    readonly dialect: Dialect;
    /** Shard and realm of the network. */
    readonly shard: bigint;
    readonly realm: bigint;
    /** Whether rows stored from now on answer with `bytes`. */
    readonly transactionBytes: boolean;
    /** Default `changed`. */
    readonly balanceSnapshots?: SnapshotScope;
  };
}

export interface OpenOptions {
  readonly log: Log;
  /** Whether requests wait while one writes: then writes are done elsewhere if the backend can. Default false. */
  readonly isServing?: boolean;
}

/** Plain data, so that it can be sent to a thread; only the backend that made it reads `identity`. */
export interface SharedStore {
  readonly config: StoreConfig;
  readonly identity: unknown;
}

/** How far the schema of a database is. */
export interface SchemaState {
  /** Version before anything was applied. */
  readonly from: number;
  /** Version that this build of the product knows. */
  readonly to: number;
  /** Names of the migrations in between. */
  readonly pending: readonly string[];
}

/** A database that is only looked at; a schema that this build cannot use is left alone. */
export interface Examination {
  /** `ok`, or what is damaged; `isWhole`: every page, index and reference is read, which takes as long as reading the file. */
  readonly integrity: (isWhole: boolean) => string;
  readonly schema: SchemaState;
  /** Null unless this build can use the schema. */
  readonly mirror: Pick<
    MirrorStore,
    'report' | 'contractCodes' | 'ledger' | 'rebuild' | 'registeredNodes' | 'retention'
  > | null;
}
