import { systemPause } from '../mirror/ingest/pause.ts';
import type { ProofChecker } from '../mirror/ingest/proof-threads/proof-checker.ts';
import type { IngestState } from '../mirror/ingest/report/ingest-state.ts';
import type { ImporterOptions } from '../mirror/ingest/run/importer.ts';
import {
  createLedgerImports,
  type LedgerImports,
  type LedgerImportsDependencies,
  type LedgerSources,
} from '../mirror/ingest/schedule/ledger-imports.ts';
import { systemFileTree } from '../mirror/ingest/source/file-tree.ts';
import type { LedgerRepository } from '../mirror/ledger/ledger-repository.ts';
import type { LogChunks } from '../mirror/ledger/log-chunks/log-chunks.sql.ts';
import type { LedgerRetention } from '../mirror/ledger/upkeep/retention.sql.ts';
import type { MirrorStore } from '../mirror/mirror-store.ts';
import { isStorageError, StorageBusyError } from '../values/storage-errors.ts';
import { openLiveSource } from './live-sources.ts';

/** How a server imports; plain data, so that it can be sent to a thread. */
export interface ImportSettings {
  readonly addressBookPath: string | null;
  readonly options: Omit<ImporterOptions, 'addressBook'>;
}

/** What a server does to its ledger by itself. */
export interface LedgerTasks extends LedgerSources {
  /** Days of transactions to keep, counted back from the newest unit; null keeps all. */
  readonly keepDays: number | null;
}

/** The work on the ledger that a server does by itself: imports, watched folders, retention. */
export interface LedgerWork {
  begin(tasks: LedgerTasks): void;
  /** How every source stands. */
  states(): readonly IngestState[];
  /** Ends after the unit or batch that is being written. */
  close(): Promise<void>;
}

const PRUNE_EVERY_MS = 60_000;
const CHUNKS_EVERY_MS = 10_000;

/**
 * Imports into a store.
 *
 * @param repository its write side, or what stands in front of it.
 */
export function createImports(
  store: Pick<MirrorStore, 'gaps' | 'importLock' | 'logChunks' | 'lookup' | 'registeredNodes'>,
  repository: LedgerRepository,
  settings: ImportSettings,
  others: Pick<LedgerImportsDependencies, 'log' | 'onChange'>,
): LedgerImports {
  const { gaps, importLock, lookup, registeredNodes } = store;
  const { addressBookPath, options } = settings;
  const { verify = 'signatures' } = options;
  const proofs = lazyProofThreads(verify === 'signatures' || verify === 'strict');
  const ledger = { repository, registered: registeredNodes, options, proofs: proofs.get };
  const imports = createLedgerImports({
    repository,
    lookup,
    gaps,
    lock: importLock,
    tree: systemFileTree,
    openLive: (live) => openLiveSource(live, ledger),
    proofs: proofs.get,
    addressBookPath,
    options,
    isPassingFault: isStorageError,
    ...others,
  });
  return {
    ...imports,
    async run(paths, progress) {
      const reports = await imports.run(paths, progress);
      await buildChunks(store.logChunks, others.log);
      return reports;
    },
    async close() {
      await imports.close();
      await proofs.close();
    },
  };
}

/** Threads that check proofs of blocks, from the first source that has blocks. @param checks whether any will be. */
function lazyProofThreads(checks: boolean): {
  readonly get: () => Promise<ProofChecker>;
  readonly close: () => Promise<void>;
} {
  let threads: Promise<ProofChecker> | null = null;
  return {
    get: () => {
      threads ??= import('../mirror/ingest/proof-threads/proof-threads.ts').then(({ ProofThreads }) => {
        const made = new ProofThreads();
        if (checks) made.warmUp();
        return made;
      });
      return threads;
    },
    close: async () => (await threads)?.close(),
  };
}

/** The work, done in the calling thread. */
export function createLedgerWork(
  { logChunks, retention }: Pick<MirrorStore, 'logChunks' | 'retention'>,
  imports: LedgerImports,
  log: LedgerImportsDependencies['log'],
): LedgerWork {
  const stop = new AbortController();
  let upkeep: Promise<unknown> = Promise.resolve();
  return {
    begin({ keepDays, ...sources }) {
      imports.begin(sources);
      const { signal } = stop;
      upkeep = Promise.all([
        repeatedly(() => buildChunks(logChunks, log, signal), CHUNKS_EVERY_MS, signal),
        keepDays === null
          ? null
          : repeatedly(() => prune(retention, keepDays, log, signal), PRUNE_EVERY_MS, signal),
      ]);
    },
    states: () => imports.states(),
    async close() {
      stop.abort();
      await Promise.all([imports.close(), upkeep]);
    },
  };
}

/** Does work again and again until the signal ends it. */
async function repeatedly(work: () => Promise<void>, everyMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work();
    await systemPause(everyMs, signal);
  }
}

/** Makes chunks of the logs that came. */
async function buildChunks(
  logChunks: LogChunks,
  log: LedgerImportsDependencies['log'],
  signal?: AbortSignal,
): Promise<void> {
  try {
    await logChunks.build(signal === undefined ? {} : { signal });
  } catch (err) {
    // Another server imports, which makes them, or somebody writes for long: a later round does it.
    const isTold = isStorageError(err) && err.isTold;
    if (!(err instanceof StorageBusyError) && !isTold) log.error({ err }, 'log chunks could not be built');
  }
}

/** Deletes what is too old. */
async function prune(
  retention: LedgerRetention,
  days: number,
  log: LedgerImportsDependencies['log'],
  signal: AbortSignal,
): Promise<void> {
  try {
    const { transactions, units } = await retention.prune(days, { signal });
    if (units > 0) log.info({ transactions, units }, `deleted ${units} units older than ${days} days`);
  } catch (err) {
    // Another process may hold the database for long: the next round tries again.
    log.error({ err }, 'old transactions could not be deleted');
  }
}
