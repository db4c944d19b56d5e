/** The thread behind `LedgerThread`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { IngestState } from '../mirror/ingest/report/ingest-state.ts';
import {
  createSqliteLedgerRepository,
  type SqliteLedgerOptions,
} from '../mirror/ledger/ledger-repository.sqlite.ts';
import { DatabaseFile, type FileIdentity } from '../storage/database-file.ts';
import { openDatabase, parseDatabaseUrl } from '../storage/database-url.ts';
import { watchFile } from '../storage/sqlite.ts';
import { StorageFaultError } from '../storage/storage-errors.ts';
import { createImports, createLedgerWork, type ImportSettings, type LedgerTasks } from './ledger-tasks.ts';

/** What the thread is started with. */
export interface LedgerThreadSetup {
  readonly databaseUrl: string;
  /** The file that the server has opened: the thread writes to no other. */
  readonly file: FileIdentity | null;
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
const file = new DatabaseFile(parseDatabaseUrl(setup.databaseUrl), setup.file);
const gone = file.objection();
// To open a path without a file would make an empty ledger.
if (gone !== null) throw new StorageFaultError(gone);
const database = openDatabase(setup.databaseUrl);
watchFile(database, file);
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
