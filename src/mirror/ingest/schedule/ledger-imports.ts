import { type Clock, systemClock } from '../../../values/clock.ts';
import type { Log } from '../../../values/log.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { LedgerGaps } from '../../ledger/upkeep/ledger-gaps.sql.ts';
import { createBlockUnits } from '../block/block-unit.ts';
import type { LedgerLookup } from '../decode/known-entities.ts';
import { createFixtureImporter, isFixturePath } from '../fixture/fixture-importer.ts';
import { type Pause, systemPause } from '../pause.ts';
import type { ImportProgress, ImportReport } from '../report/import-report.ts';
import type { IngestState } from '../report/ingest-state.ts';
import { logProgress } from '../report/pace.ts';
import { createImporter, type Importer } from '../run/importer.ts';
import type { ImporterOptions } from '../run/importer-options.ts';
import {
  createDirectorySource,
  createWatchedFolder,
  readAddressBookFile,
} from '../source/directory-source.ts';
import type { FileTree } from '../source/file-tree.ts';
import type { FolderParts } from '../source/folder-units.ts';
import type { ProofCheck } from '../trust/prove-block.ts';
import type { LiveSource } from '../units/live-source.ts';
import type { StreamSource } from '../units/stream-source.ts';
import { type ImportLock, oneAtATime } from './import-lock.ts';
import { createLazySource } from './lazy-source.ts';
import { createLedgerTurns } from './ledger-turns.ts';
import { type WatchedSource, watchSources } from './watch-sources.ts';

export interface LedgerImportsDependencies {
  readonly repository: LedgerRepository;
  readonly lookup: LedgerLookup;
  /** Gaps that the operator accepted. */
  readonly gaps: Pick<LedgerGaps, 'accepts' | 'covers'>;
  /** Lets one import at a time into the ledger. */
  readonly lock: ImportLock;
  readonly tree: FileTree;
  /** File that the operator vouches for; null: the book at the top of a source, if it has one. */
  readonly addressBookPath: string | null;
  readonly options: Omit<ImporterOptions, 'addressBook'>;
  /** Makes a live source, whose code is loaded with the first one of its kind. */
  readonly openLive: (settings: LiveSource) => Promise<StreamSource>;
  /** Checks proofs of block files in folders. Default: in the calling thread. */
  readonly proofs?: () => Promise<ProofCheck>;
  readonly log: Log;
  /** Called after every change of a state. */
  readonly onChange?: (states: readonly IngestState[]) => void;
  readonly clock?: Clock;
  /** Whether a write failed for a reason that may pass, such as a full disk. Default never. */
  readonly isPassingFault?: (error: unknown) => boolean;
  /** Waits between two looks at watched folders, and for a fault to pass. Default a timer. */
  readonly pause?: Pause;
  /** From 0 to below 1, for jitter. Default the system's. */
  readonly random?: () => number;
}

type TellProgress = (progress: ImportProgress) => void;

/** What a process imports by itself. */
export interface LedgerSources {
  /** Imported once, in order, before the watched folders. */
  readonly importPaths: readonly string[];
  /** Folders that are looked at again and again. */
  readonly watchPaths: readonly string[];
  /** Sources over a network, in order of trust, after the watched folders. */
  readonly live: readonly LiveSource[];
  readonly watchPeriodMs: number;
}

/** A server that watches a folder imports for moments only; anything longer is another import. */
const COMMAND_PATIENCE_MS = 10_000;
const FIRST_BACK_OFF_MS = 500;
/** A source that works again is used again within ten seconds, jitter included. */
const MAX_BACK_OFF_MS = 8_000;
/** A full disk is not emptied within moments. */
const TRY_AGAIN_MS = 5_000;

/** @see contracts/streams.md section 11 */
export function createLedgerImports(dependencies: LedgerImportsDependencies) {
  const { lock, repository, tree, addressBookPath, openLive, options, log, onChange } = dependencies;
  const { clock = systemClock, isPassingFault = () => false, pause = systemPause } = dependencies;
  const { random = Math.random } = dependencies;
  const turns = createLedgerTurns({ lock, clock, pause });
  const home = { shard: options.shard ?? 0n, realm: options.realm ?? 0n };
  const importerOf = new Map<string, Importer>();
  const stop = new AbortController();
  let background: Promise<unknown> = Promise.resolve();
  let followed: readonly WatchedSource['source'][] = [];

  const states = (): readonly IngestState[] => [...importerOf.values()].map((importer) => importer.state());
  /** Shown under its name from now on; two ways to one folder are two sources. */
  const shown = (kind: 'import' | 'watch', name: string, importer: Importer): Importer => {
    importerOf.set(`${kind} ${name}`, importer);
    return importer;
  };
  const fixtureImporter = (path: string): Importer =>
    createFixtureImporter({ repository, tree, path, home, log, onState });
  const onState = () => onChange?.(states());
  const { proofs } = dependencies;
  const folderParts = (path: string): FolderParts => ({
    warn: (message) => log.warn({ source: path }, message),
    ...(proofs === undefined ? {} : { loadBlocks: async () => createBlockUnits(await proofs()) }),
  });
  const importOnce = (
    path: string,
    progress: TellProgress | undefined,
    patienceMs: number | null,
  ): Importer => {
    const alone = isFixturePath(path)
      ? fixtureImporter(path)
      : streamImporter(createDirectorySource(path, tree, folderParts(path)), false, progress);
    return shown('import', path, oneAtATime(alone, { lock, patienceMs }));
  };
  const watchFolder = (path: string, periodMs: number, progress: TellProgress): WatchedSource => {
    const source = createWatchedFolder(path, tree, {
      warn: (message) => log.warn({ source: path }, message),
    });
    const importer = isFixturePath(path)
      ? oneAtATime(fixtureImporter(path), { lock, patienceMs: null })
      : streamImporter(source, true, progress);
    // A look at a folder costs nothing, so nobody has to wait for the next one.
    const backOff = { firstMs: periodMs, longestMs: periodMs };
    return { importer: shown('watch', path, importer), source, backOff, isReserve: false };
  };
  const watchLive = (settings: LiveSource, periodMs: number, progress: TellProgress): WatchedSource => {
    const source = createLazySource(settings.name, () => openLive(settings), pause);
    const isOfRecords = settings.kind === 'bucket' && settings.content === 'records';
    const importer = shown('watch', settings.name, streamImporter(source, true, progress, isOfRecords));
    const backOff = { firstMs: Math.max(periodMs, FIRST_BACK_OFF_MS), longestMs: MAX_BACK_OFF_MS };
    return { importer, source, backOff, isReserve: settings.kind === 'mirror' };
  };
  const streamImporter = (
    source: StreamSource,
    isWatched: boolean,
    progress: TellProgress | undefined,
    isOfRecords = false,
  ): Importer =>
    createImporter({
      ...dependencies,
      ...{ source, isWatched, isOfRecords, clock, onState },
      options: {
        ...options,
        addressBook: addressBookPath === null ? null : () => readAddressBookFile(tree, addressBookPath),
      },
      ...(isWatched ? { turns } : {}),
      ...(progress === undefined ? {} : { progress }),
    });

  async function runAll(importers: readonly Importer[]): Promise<readonly ImportReport[]> {
    const reports: ImportReport[] = [];
    for (const importer of importers) {
      if (stop.signal.aborted) break;
      const report = await importer.run(stop.signal);
      reports.push(report);
      if (report.refused.length > 0) break;
    }
    return reports;
  }

  async function importInBackground(importers: readonly Importer[]): Promise<void> {
    let told = '';
    while (!stop.signal.aborted) {
      try {
        for (const report of await runAll(importers)) {
          log.info({ ...report }, `import of ${report.source} finished`);
        }
        return;
      } catch (err) {
        // The state of the source tells it too; folders that are watched may still continue.
        const reason = String(err);
        if (reason !== told) log.error({ err }, 'import failed');
        told = reason;
        if (!isPassingFault(err)) return;
      }
      // What is stored stays stored, and the import continues after it.
      await pause(TRY_AGAIN_MS, stop.signal);
    }
  }

  return {
    /**
     * Imports the paths in order and stops at the first that refuses a unit.
     *
     * @throws LedgerlensError when a source or the address book cannot be read, or another import runs for long.
     */
    run: (paths: readonly string[], progress?: TellProgress): Promise<readonly ImportReport[]> =>
      runAll(paths.map((path) => importOnce(path, progress, COMMAND_PATIENCE_MS))),
    /** Imports and watches in the background; a fault is logged and shows in the state. */
    begin({ importPaths, live, watchPaths, watchPeriodMs }: LedgerSources): void {
      const progress = logProgress(log, clock);
      // Sources that wait for their turn are shown too, also those behind one that was refused.
      const once = importPaths.map((path) => importOnce(path, progress, null));
      const watched = [
        ...watchPaths.map((path) => watchFolder(path, watchPeriodMs, progress)),
        ...live.map((settings) => watchLive(settings, watchPeriodMs, progress)),
      ];
      followed = watched.map(({ source }) => source);
      background = importInBackground(once).then(() =>
        watchSources(watched, {
          periodMs: watchPeriodMs,
          signal: stop.signal,
          log,
          pause,
          clock,
          random,
        }),
      );
    },
    /** How every source stands, in the order in which they were given. */
    states,
    /** Ends after the unit that is being stored; the next run continues after it. */
    async close(): Promise<void> {
      stop.abort();
      await background;
      await Promise.all(followed.map((source) => source.close?.()));
    },
  };
}

/** Runs the imports of a process one after the other and knows how each stands. */
export type LedgerImports = ReturnType<typeof createLedgerImports>;
