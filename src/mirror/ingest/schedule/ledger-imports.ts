import { type Clock, systemClock } from '../../../values/clock.ts';
import { joinSignals } from '../../../values/joined-signal.ts';
import type { Log } from '../../../values/log.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { LedgerGaps } from '../../ledger/upkeep/ledger-gaps.sql.ts';
import { createBlockUnits } from '../block/block-unit.ts';
import type { LedgerLookup } from '../decode/known-entities.ts';
import { createFixtureImporter, isFixturePath } from '../fixture/fixture-importer.ts';
import { type BackOff, backOffMs, type Pause, systemPause } from '../pause.ts';
import type { ImportProgress, ImportReport } from '../report/import-report.ts';
import type { IngestState } from '../report/ingest-state.ts';
import { logProgress } from '../report/pace.ts';
import { createImporter, type Importer, type ImporterOptions } from '../run/importer.ts';
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

/** A source that is looked at again and again. */
interface WatchedSource {
  readonly importer: Importer;
  readonly source: Pick<StreamSource, 'changed' | 'close'>;
  readonly backOff: BackOff;
  /** Whether it is read only when those before it have given nothing for {@link RESERVE_MS}. */
  readonly isReserve: boolean;
}

interface WatchOptions {
  /** Between two looks at a source that does not report by itself. */
  readonly periodMs: number;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly pause: Pause;
  readonly clock: Clock;
  /** From 0 to below 1, for jitter. */
  readonly random: () => number;
}

/** @see contracts/streams.md section 16.2, threshold */
const RESERVE_MS = 16_000;
/** How long an empty ledger waits for a better source that cannot be read. */
const BEGIN_MS = 60_000;
const HELD_BACK_MS = 200;
/** A source that reports by itself may fail to. */
const SAFETY_MS = 30_000;
/** One that reports again and again without news shall not keep a processor busy. */
const REST_MS = 20;
/** What was refused stays so until an operator changes something. */
const REFUSED_MS = 60_000;

/**
 * Looks at each source for itself until the signal is given: when it reports something new, else once a period.
 *
 * A source that cannot be read, or whose next unit is refused, backs off, is logged once per reason and looked at again;
 * others continue meanwhile.
 *
 * @param sources in order of trust
 * @see docs/adr/0020-sources.md, contracts/streams.md section 11
 */
async function watchSources(sources: readonly WatchedSource[], options: WatchOptions): Promise<void> {
  const { clock } = options;
  const beganMs = clock.now();
  const better = sources.filter(({ isReserve }) => !isReserve);
  const isServed = (): boolean => {
    const last = better.map(({ importer }) => importer.state().storedAtMs ?? beganMs);
    return clock.now() - Math.max(...last) < RESERVE_MS;
  };
  const haveLooked = new Set<WatchedSource>();
  /** What an empty ledger begins with is there for ever, so the best source that works says it. */
  const mayBegin = ({ importer }: WatchedSource, index: number): boolean =>
    importer.state().lastConsensusTimestamp !== null ||
    sources.slice(0, index).every((before) => haveLooked.has(before)) ||
    clock.now() - beganMs >= BEGIN_MS;
  await Promise.all(
    sources.map((watched, index) =>
      watchOne(watched, options, {
        isHeldBack: () => (watched.isReserve && isServed()) || !mayBegin(watched, index),
        hasLooked: () => haveLooked.add(watched),
      }),
    ),
  );
}

interface AmongOthers {
  /** Whether it has nothing to do, because a better source gives units or may still begin the ledger. */
  isHeldBack(): boolean;
  /** It gave what it has for now. */
  hasLooked(): void;
}

async function watchOne(
  { backOff, importer, source }: WatchedSource,
  options: WatchOptions,
  { hasLooked, isHeldBack }: AmongOthers,
): Promise<void> {
  const { log, pause, periodMs, random, signal } = options;
  const name = importer.state().source;
  let failures = 0;
  let unitsBefore = 0;
  let told: string | null = null;
  const failed = async (reason: string, code: string | null): Promise<void> => {
    // One that gives units is not left alone for longer and longer.
    const { units } = importer.state();
    failures = units > unitsBefore ? 1 : failures + 1;
    unitsBefore = units;
    const longestMs = code === 'source_refused' ? Math.max(REFUSED_MS, backOff.longestMs) : backOff.longestMs;
    told = reason;
    await pause(backOffMs(failures, { ...backOff, longestMs }, random), signal);
  };
  while (!signal.aborted) {
    if (isHeldBack()) {
      await importer.look();
      await pause(Math.min(periodMs, HELD_BACK_MS), signal);
      continue;
    }
    try {
      const report = await importer.run(signal);
      hasLooked();
      const refused = refusalOf(report, importer);
      if (refused !== null) {
        await failed(refused, null);
        continue;
      }
      if (told !== null) log.info({ source: name }, `${name} is read again`);
      failures = 0;
      told = null;
      await untilNews(source, report, options);
    } catch (err) {
      const reason = err instanceof Error ? err.message : String(err);
      if (told !== reason) log.error({ err }, `watching ${name} failed; retrying: ${reason}`);
      await failed(reason, codeOf(err));
    }
  }
}

/** Null when the run came to its end, or the unit may be whole by the next look. */
function refusalOf({ refused }: ImportReport, importer: Importer): string | null {
  const [first] = refused;
  return first === undefined || importer.state().state === 'idle' ? null : first.message;
}

async function untilNews(
  source: WatchedSource['source'],
  { units }: ImportReport,
  { pause, periodMs, signal }: WatchOptions,
): Promise<void> {
  if (source.changed === undefined) {
    await pause(periodMs, signal);
    return;
  }
  if (units === 0) await pause(REST_MS, signal);
  const { end, signal: either } = joinSignals(signal);
  try {
    // A source that cannot report is looked at after a while, which shows what is wrong.
    await Promise.race([
      source.changed(either).catch(() => pause(periodMs, either)),
      pause(Math.max(SAFETY_MS, periodMs), either),
    ]);
  } finally {
    end();
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
