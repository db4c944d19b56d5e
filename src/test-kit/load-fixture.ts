import { createFixtureImporter } from '../mirror/ingest/fixture/fixture-importer.ts';
import { readFixture } from '../mirror/ingest/fixture/read-fixture.ts';
import { silentLog } from '../mirror/ingest/report/ingest-log.ts';
import type { FileTree } from '../mirror/ingest/source/file-tree.ts';
import type { LedgerRepository } from '../mirror/ledger/ledger-repository.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { FixtureError } from './fixture-error.ts';
import type { LoadReport } from './test-server.ts';

/**
 * Stores the lines of a fixture as the next unit of a ledger.
 *
 * @throws FixtureError when a line is malformed, or the ledger has passed the time of the fixture.
 * @see contracts/streams.md section 10.1
 */
export async function loadFixture(
  repository: LedgerRepository,
  home: { readonly shard: bigint; readonly realm: bigint },
  contents: Uint8Array,
  name: string,
): Promise<LoadReport> {
  // An empty unit would begin the ledger all the same, and nothing without a time could follow it.
  if (contents.every(isSpace)) return { transactions: 0 };
  const importer = createFixtureImporter({
    repository,
    tree: treeOf(contents),
    path: name,
    home,
    // Refusals are thrown, so nothing is left to be told.
    log: silentLog,
  });
  const { refused, transactions } = await importer.run();
  const [refusal] = refused;
  if (refusal === undefined) return { transactions };
  throw new FixtureError(refusal.code, refusal.message, faultyLine(contents, name, home));
}

/** Of a space, a tab or the end of a line. */
function isSpace(byte: number): boolean {
  return [0x09, 0x0a, 0x0d, 0x20].includes(byte);
}

function faultyLine(
  contents: Uint8Array,
  name: string,
  home: { readonly shard: bigint; readonly realm: bigint },
): number | null {
  try {
    readFixture(contents, name, home);
    return null;
  } catch (error) {
    const line = error instanceof LedgerlensError ? error.details['line'] : null;
    return typeof line === 'number' ? line : null;
  }
}

/** A file system of one file. */
function treeOf(contents: Uint8Array): FileTree {
  return {
    kindOf: async () => 'file',
    list: async () => [],
    size: async () => contents.length,
    read: async () => contents,
  };
}
