import { faultsOfFile, ledgerDump } from '../support/sqlite-file.ts';

/** What the faults need of a database. */
export interface FaultBackend {
  /** Of a server whose data lie in a folder. */
  url(folder: string): string;
  /** What the database finds wrong with itself; empty when it is whole. */
  faults(url: string): readonly string[];
  /** The whole ledger as a text. */
  ledger(url: string): string;
}

const BACKENDS: Readonly<Record<string, FaultBackend>> = {
  sqlite: { url: (folder) => `sqlite:${folder}/l.sqlite`, faults: faultsOfFile, ledger: ledgerDump },
};

/** The one that `TEST_BACKEND` names, SQLite when it names none. @throws Error when faults are not tried on it. */
export function faultBackend(name = process.env['TEST_BACKEND'] ?? 'sqlite'): FaultBackend {
  const backend = BACKENDS[name];
  if (backend === undefined) {
    throw new Error(`TEST_BACKEND=${name}: faults are tried on ${Object.keys(BACKENDS).join(', ')}`);
  }
  return backend;
}
