/** The thread behind `LedgerThread`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { IngestState } from '../mirror/ingest/report/ingest-state.ts';
import { openSharedStore } from '../store/open-store.ts';
import type { SharedStore } from '../store/store.ts';
import { createImports, createLedgerWork, type ImportSettings, type LedgerTasks } from './ledger-tasks.ts';

/** What the thread is started with. */
export interface LedgerThreadSetup {
  /** What the server has open: the thread writes to nothing else. */
  readonly store: SharedStore;
  readonly settings: ImportSettings;
  readonly tasks: LedgerTasks;
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
const store = await openSharedStore(setup.store);
const imports = createImports(store.mirror, store.mirror.ledger, setup.settings, {
  log,
  onChange: (states) => tell({ kind: 'states', states }),
});
const work = createLedgerWork(store.mirror, imports, log);
// Only 'close' is ever sent; the thread ends when nothing listens any more and nothing is left to do.
parentPort?.once('message', async () => {
  await work.close();
  await store.close();
});
work.begin(setup.tasks);
