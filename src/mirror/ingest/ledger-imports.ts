import type { LedgerRepository } from '../ledger/ledger-repository.ts';
import type { LedgerLookup } from './decode/known-entities.ts';
import {
  createImporter,
  type Importer,
  type ImporterOptions,
  type ImportProgress,
  type ImportReport,
  type IngestLog,
} from './importer.ts';
import { describeIngestState } from './ingest-state.ts';
import { createDirectorySource, readAddressBookFile } from './source/directory-source.ts';
import type { FileTree } from './source/file-tree.ts';

export interface LedgerImportsDependencies {
  readonly repository: LedgerRepository;
  readonly lookup: LedgerLookup;
  readonly tree: FileTree;
  /** File that the operator vouches for; null: the book at the top of a source, if it has one. */
  readonly addressBookPath: string | null;
  readonly options: Omit<ImporterOptions, 'addressBook'>;
  readonly log: IngestLog & { error(fields: object, message: string): void };
}

/** Runs the imports of a process one after the other and knows how each stands. */
export interface LedgerImports {
  /**
   * Imports the paths in order and stops at the first that refuses a unit.
   *
   * @throws LedgerlensError when a source or the address book cannot be read.
   */
  run(
    paths: readonly string[],
    progress?: (progress: ImportProgress) => void,
  ): Promise<readonly ImportReport[]>;
  /** Runs the paths in the background; a fault is logged and shows in the state. */
  begin(paths: readonly string[]): void;
  /** One object per source, for readiness. */
  describe(nowMs: number): readonly Readonly<Record<string, unknown>>[];
  /** Ends after the unit that is being stored; the next run goes on behind it. */
  close(): Promise<void>;
}

/** @see contracts/streams.md section 11 */
export function createLedgerImports(dependencies: LedgerImportsDependencies): LedgerImports {
  const { repository, lookup, tree, addressBookPath, options, log } = dependencies;
  const importerOf = new Map<string, Importer>();
  const stop = new AbortController();
  let background: Promise<unknown> = Promise.resolve();

  async function run(
    paths: readonly string[],
    progress?: (progress: ImportProgress) => void,
  ): Promise<readonly ImportReport[]> {
    const namedBook = addressBookPath === null ? null : () => readAddressBookFile(tree, addressBookPath);
    const importers = paths.map((path) =>
      createImporter({
        repository,
        lookup,
        source: createDirectorySource(path, tree),
        options: { ...options, addressBook: namedBook },
        log,
        ...(progress === undefined ? {} : { progress }),
      }),
    );
    // Sources that wait for their turn are shown too, also those behind one that was refused.
    for (const [index, importer] of importers.entries()) importerOf.set(paths[index] ?? '', importer);
    const reports: ImportReport[] = [];
    for (const importer of importers) {
      if (stop.signal.aborted) break;
      const report = await importer.run(stop.signal);
      reports.push(report);
      if (report.refused.length > 0) break;
    }
    return reports;
  }

  return {
    run,
    begin(paths) {
      background = run(paths).then(
        (reports) => {
          for (const report of reports) log.info({ ...report }, `import of ${report.source} ended`);
        },
        (err: unknown) => log.error({ err }, 'import failed'),
      );
    },
    describe: (nowMs) =>
      [...importerOf.values()].map((importer) => describeIngestState(importer.state(), nowMs)),
    async close() {
      stop.abort();
      await background;
    },
  };
}
