/** The thread behind `LedgerThread`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ImporterOptions } from './mirror/ingest/importer.ts';
import type { IngestState } from './mirror/ingest/ingest-state.ts';
import { createLedgerImports, type LedgerSources } from './mirror/ingest/ledger-imports.ts';
import { createSqliteLedgerLookup } from './mirror/ingest/ledger-lookup.sqlite.ts';
import { systemFileTree } from './mirror/ingest/source/file-tree.ts';
import {
  createSqliteLedgerRepository,
  type SqliteLedgerOptions,
} from './mirror/ledger/ledger-repository.sqlite.ts';
import { openDatabase } from './storage/database-url.ts';

/** What the thread is started with. */
export interface LedgerTask {
  readonly databaseUrl: string;
  readonly ledger: SqliteLedgerOptions;
  readonly addressBookPath: string | null;
  readonly options: Omit<ImporterOptions, 'addressBook'>;
  readonly sources: LedgerSources;
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

const task = workerData as LedgerTask;
const tell = (message: LedgerMessage) => parentPort?.postMessage(message);
const logAt = (level: 'info' | 'warn' | 'error') => (fields: object, message: string) =>
  tell({ kind: 'log', level, fields, message });

const database = openDatabase(task.databaseUrl);
const imports = createLedgerImports({
  repository: createSqliteLedgerRepository(database, task.ledger),
  lookup: createSqliteLedgerLookup(database),
  tree: systemFileTree,
  addressBookPath: task.addressBookPath,
  options: task.options,
  log: { info: logAt('info'), warn: logAt('warn'), error: logAt('error') },
  onChange: (states) => tell({ kind: 'states', states }),
});
// Only 'close' is ever sent; the thread ends when its port is closed and nothing is left to do.
parentPort?.once('message', async () => {
  await imports.close();
  database.close();
});
imports.begin(task.sources);
