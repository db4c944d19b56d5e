import { setTimeout as pause } from 'node:timers/promises';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { isBefore } from '../match/version-order.ts';
import { LOWEST_NATIVE_SOLC } from './compiler-file-name.ts';
import { siblingBuildVersion } from './compiler-version.ts';

/** A compiler that is present cannot be started. */
export class CompilerStartError extends LedgerlensError {
  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super('compiler_start', `The compiler ${path} cannot be started: ${reason}`, {
      details: { path },
      cause,
    });
  }
}

/** A place of compilers cannot be used, or what it gives must not be run; the message says why. */
export class CompilerSourceError extends LedgerlensError {
  constructor(message: string, cause?: unknown) {
    super('compiler_source', message, { cause });
  }
}

/** `wasm`: a soljson file, WebAssembly or asm.js. `native`: an executable of this platform. */
export type CompilerKind = 'wasm' | 'native';

export type CompilerLanguage = 'solc' | 'vyper' | 'fe';

/** A compiler that is present and may be run. */
export interface CompilerExecutable {
  /** `wasm` runs in a worker thread, `native` as a child process. */
  readonly kind: CompilerKind;
  /** A native one is a copy of the checked bytes that only this user can read and run. */
  readonly path: string;
  /** SHA-256 that the bytes must have when they are loaded, hex; null for packages checked at installation. */
  readonly sha256: string | null;
  /** Full version such as `0.8.30+commit.73712a01`. */
  readonly version: string;
}

export interface WantedCompiler {
  readonly language: CompilerLanguage;
  /** Full version, or what stands before the `+` for the released build. */
  readonly version: string;
  /** Absent: native when present, else wasm. Vyper and Fe are always native. */
  readonly kind?: CompilerKind;
}

/** A wanted compiler of one kind, as sources are asked for it. */
export interface WantedBuild extends WantedCompiler {
  readonly kind: CompilerKind;
}

export interface ListedCompiler extends WantedBuild {
  readonly path: string;
  /** SHA-256 that its bytes must have, hex; null where only loading tells. */
  readonly sha256: string | null;
  readonly source: string;
}

/** What is there, for the operator. */
interface CompilerListing {
  readonly compilers: readonly ListedCompiler[];
  /** Sentences about what is there but not used, and why. */
  readonly problems: readonly string[];
}

/** One place where compilers are. */
export interface CompilerSource {
  /** For messages: where this source looks. */
  readonly description: string;
  /**
   * @returns null when this source has no such compiler.
   * @throws CompilerSourceError or CompilerStartError when it cannot tell or must not give it.
   */
  find(wanted: WantedBuild): Promise<CompilerExecutable | null>;
  /**
   * Full or short versions that are present.
   *
   * @throws CompilerSourceError when the place cannot be read.
   */
  list(): Promise<CompilerListing>;
}

/** How far a download is; bytes. */
export interface DownloadProgress {
  readonly done: number;
  /** Null when the server did not say. */
  readonly total: number | null;
  /** What is downloaded, for people. */
  readonly name: string;
}

/** A place from which compilers are fetched when no source has them. */
export interface CompilerDownload {
  /** For messages: where this looks. */
  readonly description: string;
  /**
   * Fetches, checks and keeps a compiler.
   *
   * @returns null when this place has no such compiler.
   * @throws CompilerSourceError when it cannot be reached or what it gives must not be run.
   */
  fetch(
    wanted: WantedBuild,
    onProgress?: (progress: DownloadProgress) => void,
  ): Promise<CompilerExecutable | null>;
  /**
   * Released versions that could be fetched, in no order.
   *
   * @throws CompilerSourceError when it cannot be reached.
   */
  offers(): Promise<readonly WantedBuild[]>;
}

/** Hears what downloads for jobs come to. */
export interface DownloadObserver {
  fetched(executable: CompilerExecutable, place: string): void;
  failed(wanted: WantedBuild, place: string, error: Error): void;
}

/** A place that an operator may not know of. */
const NO_DOWNLOADS =
  'no downloads, because VERIFY_COMPILER_LIST_URL and VERIFY_COMPILER_REGISTRY are not set';

type CompilerLookup =
  | { readonly kind: 'found'; readonly executable: CompilerExecutable }
  /** Every place that was asked, with the reason where one could not answer. */
  | { readonly kind: 'missing'; readonly lookedIn: readonly string[] };

interface FindOptions {
  /** Whether a compiler that is not present is downloaded, where that is allowed. Default true. */
  readonly mayDownload?: boolean;
  /**
   * Whether a present build of the same version with another commit stands in for one that is nowhere to be had.
   * Default false.
   */
  readonly maySubstitute?: boolean;
  /** How long to wait for a download, milliseconds; it continues afterwards. Default without end. */
  readonly patienceMs?: number;
  /** Ends the waiting; the look-up then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** All compilers that the server may run. */
export interface CompilerCatalog {
  /** Never throws for a place that fails: the reason stands in `lookedIn` when no other place has the compiler. */
  find(wanted: WantedCompiler, options?: FindOptions): Promise<CompilerLookup>;
  /** What is present in all places; one that cannot be read is among the problems. */
  list(): Promise<CompilerListing>;
}

/**
 * Asks sources in order, native builds of all of them before wasm ones, then the downloads.
 *
 * Nothing is remembered here, so a compiler put into place or taken away is seen by the next job. Look-ups of
 * the same compiler share one download. Native builds are never downloaded for a job: they are used when present.
 *
 * @see contracts/verification-engine.md section 2.2
 */
export function createCompilerCatalog(
  sources: readonly CompilerSource[],
  downloads: readonly CompilerDownload[] = [],
  observer?: DownloadObserver,
): CompilerCatalog {
  const underWay = new Map<string, Promise<CompilerLookup>>();

  const download = (build: WantedBuild, lookedIn: readonly string[]): Promise<CompilerLookup> => {
    const key = `${build.language}/${build.version}/${build.kind}`;
    const running =
      underWay.get(key) ??
      askAll(downloads, (place) => observed(place, build, observer)).finally(() => underWay.delete(key));
    underWay.set(key, running);
    return running.then((lookup) =>
      lookup.kind === 'found' ? lookup : { kind: 'missing', lookedIn: [...lookedIn, ...lookup.lookedIn] },
    );
  };

  return {
    async find(wanted, options = {}) {
      const { mayDownload = true, maySubstitute = false, patienceMs, signal } = options;
      const failures = new Map<string, string>();
      const present = await findPresent(sources, wanted, failures);
      if (present !== null) return present;
      const lookedIn = sources.map(({ description }) => failures.get(description) ?? description);
      const isOffered = mayDownload && isDownloaded(wanted) && downloads.length > 0;
      const lookup: CompilerLookup = isOffered
        ? await waitFor(download({ ...wanted, kind: 'wasm' }, lookedIn), lookedIn, patienceMs, signal)
        : {
            kind: 'missing',
            lookedIn: isDownloaded(wanted) && downloads.length === 0 ? [...lookedIn, NO_DOWNLOADS] : lookedIn,
          };
      const version = maySubstitute && lookup.kind === 'missing' ? siblingBuildVersion(wanted.version) : null;
      return version === null ? lookup : ((await findPresent(sources, { ...wanted, version })) ?? lookup);
    },
    async list() {
      const lists = await Promise.all(sources.map((source) => listCompilers(source)));
      return {
        compilers: lists.flatMap(({ compilers }) => compilers),
        problems: lists.flatMap(({ problems }) => problems),
      };
    },
  };
}

async function findPresent(
  sources: readonly CompilerSource[],
  wanted: WantedCompiler,
  failures?: Map<string, string>,
): Promise<CompilerLookup | null> {
  for (const kind of kindsOf(wanted)) {
    const lookup = await askAll(sources, (source) => source.find({ ...wanted, kind }), failures);
    if (lookup.kind === 'found') return lookup;
  }
  return null;
}

function isDownloaded(wanted: WantedCompiler): boolean {
  return wanted.language === 'solc' && kindsOf(wanted).includes('wasm');
}

function kindsOf({ language, version, kind }: WantedCompiler): readonly CompilerKind[] {
  if (language !== 'solc') return kind === 'wasm' ? [] : ['native'];
  const isNative = !isBefore(version, LOWEST_NATIVE_SOLC);
  const usable: readonly CompilerKind[] = isNative ? ['native', 'wasm'] : ['wasm'];
  return kind === undefined ? usable : usable.filter((each) => each === kind);
}

async function observed(
  place: CompilerDownload,
  build: WantedBuild,
  observer: DownloadObserver | undefined,
): Promise<CompilerExecutable | null> {
  try {
    const executable = await place.fetch(build);
    if (executable !== null) observer?.fetched(executable, place.description);
    return executable;
  } catch (error) {
    observer?.failed(build, place.description, error as Error);
    throw error;
  }
}

/** A place that fails does not hide a later one that has the compiler. */
async function askAll<Place extends { readonly description: string }>(
  places: readonly Place[],
  ask: (place: Place) => Promise<CompilerExecutable | null>,
  failures = new Map<string, string>(),
): Promise<CompilerLookup> {
  for (const place of places) {
    try {
      const executable = await ask(place);
      if (executable !== null) return { kind: 'found', executable };
    } catch (error) {
      failures.set(place.description, `${place.description}: ${reasonOf(error)}`);
    }
  }
  return {
    kind: 'missing',
    lookedIn: places.map(({ description }) => failures.get(description) ?? description),
  };
}

/** Waits for a download that others may share: giving up does not stop it. */
async function waitFor(
  running: Promise<CompilerLookup>,
  lookedIn: readonly string[],
  patienceMs: number | undefined,
  signal: AbortSignal | undefined,
): Promise<CompilerLookup> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const waits: Promise<CompilerLookup>[] = [running];
  if (patienceMs !== undefined) {
    const seconds = Math.ceil(patienceMs / 1000);
    const late: CompilerLookup = {
      kind: 'missing',
      lookedIn: [
        ...lookedIn,
        `a download that did not finish within ${seconds} s and continues; submit again later`,
      ],
    };
    waits.push(pause(patienceMs, late, { signal: stop.signal }));
  }
  if (signal !== undefined) {
    waits.push(
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: stop.signal });
      }),
    );
  }
  try {
    return await Promise.race(waits);
  } finally {
    stop.abort();
    // The wait that lost ends with the abort, which nobody needs to hear of.
    for (const wait of waits) wait.catch(() => {});
  }
}

/** What is in one place; one that cannot be read is a problem. */
export async function listCompilers(source: CompilerSource): Promise<CompilerListing> {
  try {
    return await source.list();
  } catch (error) {
    return { compilers: [], problems: [`${source.description}: ${reasonOf(error)}`] };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof CompilerSourceError || error instanceof CompilerStartError) return error.message;
  throw error;
}
