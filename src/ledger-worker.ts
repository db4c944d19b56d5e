/** The thread behind `LedgerThread`. */
import { parentPort, workerData } from 'node:worker_threads';
import { createImports, createLedgerWork, type ImportSettings, type LedgerTasks } from './ledger-tasks.ts';
import type { IngestState } from './mirror/ingest/ingest-state.ts';
import {
  createSqliteLedgerRepository,
  type SqliteLedgerOptions,
} from './mirror/ledger/ledger-repository.sqlite.ts';
import { openDatabase } from './storage/database-url.ts';
import { unmapFile } from './storage/sqlite.ts';

/** What the thread is started with. */
export interface LedgerThreadSetup {
  readonly databaseUrl: string;
  readonly ledger: SqliteLedgerOptions;
  readonly settings: ImportSettings;
  readonly tasks: LedgerTasks;
  /** This module, when a shim imports it. */
  readonly entry?: string;
}

/** What the thread tells. */
export type LedgerMessage =
  | { readonly kind: 'states'; readonly states: readonly IngestState[] }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly fields: object;
      readonly message: string;
    };

const setup = workerData as LedgerThreadSetup;
const tell = (message: LedgerMessage) => parentPort?.postMessage(message);
const logAt = (level: 'info' | 'warn' | 'error') => (fields: object, message: string) =>
  tell({ kind: 'log', level, fields, message });

const log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
const database = openDatabase(setup.databaseUrl);
unmapFile(database);
const imports = createImports(
  database,
  createSqliteLedgerRepository(database, setup.ledger),
  setup.settings,
  { log, onChange: (states) => tell({ kind: 'states', states }) },
);
const work = createLedgerWork(database, imports, log);
// Only 'close' is ever sent; the thread ends when nothing listens any more and nothing is left to do.
parentPort?.once('message', async () => {
  await work.close();
  database.close();
});
work.begin(setup.tasks);
