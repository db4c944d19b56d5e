import type { LedgerRepository, NodeKeys } from '../../ledger/ledger-repository.ts';
import type { AddressBook } from '../../ledger/rows.ts';
import type { IngestLog } from '../report/ingest-log.ts';
import type { StreamSource } from '../units/stream-source.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import { bookKeys, readBootstrapBook } from './bootstrap-book.ts';
import type { ImporterOptions } from './importer-options.ts';

export interface RunKeysDependencies {
  readonly repository: Pick<LedgerRepository, 'nodeKeysAt'>;
  readonly source: Pick<StreamSource, 'addressBook'>;
  readonly options: ImporterOptions;
  readonly log: IngestLog;
}

/** Keys of the nodes along one run. */
export interface RunKeys {
  /** Null while no address book is known. */
  at(unit: Pick<StreamUnit, 'instant'>): Promise<NodeKeys | null>;
  /** The operator's book, until a unit that it proved takes it along; null when the ledger has one. */
  readonly startBook: AddressBook | null;
  /** A unit has taken the start book along. */
  dropStartBook(): void;
  /** The ledger tells new keys or weights. */
  forget(): void;
}

/** @returns begins a run with its first unit; null: there is none */
export function createRunKeys(
  dependencies: RunKeysDependencies,
): (first: Pick<StreamUnit, 'instant'> | null) => Promise<RunKeys> {
  const { log, options, repository, source } = dependencies;
  let isBookIgnored = false;

  /** The operator's book, while the ledger has none. */
  const firstBook = async (first: Pick<StreamUnit, 'instant'> | null): Promise<AddressBook | null> => {
    if (first === null) return null;
    const named = (await options.addressBook?.()) ?? null;
    if ((await repository.nodeKeysAt(first.instant)) === null) {
      return readBootstrapBook(named ?? (await source.addressBook()), options, log);
    }
    if (named !== null && !isBookIgnored) {
      log.info({}, `address book ${named.name} ignored: the ledger already has one`);
    }
    isBookIgnored = true;
    return null;
  };

  return async (first) => {
    let book = await firstBook(first);
    let known: NodeKeys | null | undefined;
    return {
      async at({ instant }) {
        known ??= book === null ? await repository.nodeKeysAt(instant) : bookKeys(book);
        return known;
      },
      get startBook() {
        return book;
      },
      dropStartBook() {
        book = null;
      },
      forget() {
        known = undefined;
      },
    };
  };
}
