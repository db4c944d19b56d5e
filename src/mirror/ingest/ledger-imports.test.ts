import { describe, expect, test } from 'vitest';
import { emptyLookup } from './decode/known-entities.ts';
import { createLedgerImports } from './ledger-imports.ts';
import { type MemoryFileTree, writtenStream } from './testing/memory-file-tree.ts';
import { memoryLedger } from './testing/memory-ledger.ts';

const NOW = 1_800_000_000_000;
const silent = { info: () => {}, warn: () => {}, error: () => {} };

function importsOf(tree: MemoryFileTree, addressBookPath: string | null = null) {
  return createLedgerImports({
    repository: memoryLedger().repository,
    lookup: emptyLookup,
    tree,
    addressBookPath,
    options: {},
    log: silent,
  });
}

describe('createLedgerImports', () => {
  test('shows every source once, those that wait behind a refused one as idle', async () => {
    const { tree } = await writtenStream();
    const [damaged = ''] = [...tree.files.keys()].filter((path) => path.endsWith('.rcd.gz'));
    for (const path of tree.files.keys()) {
      if (path.endsWith(damaged.slice(-20))) tree.files.set(path, Uint8Array.of(9, 9, 9, 9));
    }
    const imports = importsOf(tree);
    const paths = ['/stream', '/stream/recordstreams'];
    expect(await imports.run(paths)).toHaveLength(1);
    await imports.run(paths);
    expect(imports.describe(NOW)).toMatchObject([
      { source: '/stream', state: 'failed', error: expect.stringContaining('.rcd.gz') },
      { source: '/stream/recordstreams', state: 'idle' },
    ]);
  });

  test('an address book that cannot be read is told as the state of the source', async () => {
    const { tree } = await writtenStream();
    const imports = importsOf(tree, '/nowhere.bin');
    imports.begin(['/stream']);
    await imports.close();
    expect(imports.describe(NOW)).toMatchObject([
      { state: 'failed', error: expect.stringContaining('/nowhere.bin') },
    ]);
  });
});
