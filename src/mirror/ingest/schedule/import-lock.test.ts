import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writtenStream } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { openFileStore } from '../../../../test/support/test-store.ts';
import { createImporter, type Importer } from '../run/importer.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { type ImportLock, oneAtATime } from './import-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('oneAtATime', () => {
  test('importers that begin together store each unit once, and none sees a gap', async () => {
    const { tree, written } = await writtenStream({ files: 12 });
    const path = join(folder, 'l.sqlite');
    const stores = await Promise.all(Array.from({ length: 3 }, () => openFileStore(path)));
    const reports = await Promise.all(
      stores.map(({ mirror }) =>
        oneAtATime(
          createImporter({
            repository: mirror.ledger,
            source: createDirectorySource('/stream', tree),
            options: { sharesCommits: false },
          }),
          { lock: mirror.importLock, patienceMs: null },
        ).run(),
      ),
    );
    expect(reports.map(({ refused }) => refused)).toEqual([[], [], []]);
    expect(reports.map(({ units }) => units).sort()).toEqual([0, 0, 12]);
    expect(reports.reduce((sum, { transactions }) => sum + transactions, 0)).toBe(written.transactions);
    for (const store of stores) await store.close();
  });

  const importerWith = (run: Importer['run']) => {
    let looks = 0;
    const importer: Importer = {
      run,
      state: () => ({ source: '/stream' }) as ReturnType<Importer['state']>,
      async look() {
        looks++;
      },
    };
    return { importer, looks: () => looks };
  };
  const held: ImportLock = { take: async () => null };

  test('says that another import runs when patience ends', async () => {
    const { importer } = importerWith(() => Promise.reject(new Error('ran')));
    await expect(oneAtATime(importer, { lock: held, patienceMs: 0 }).run()).rejects.toMatchObject({
      code: 'another_import',
      message: expect.stringContaining('Another import is running on this database'),
    });
  });

  test('looks at the ledger while it waits, ends with its signal, and releases what it has', async () => {
    const stop = new AbortController();
    const { importer, looks } = importerWith(async () => {
      throw new Error('ran');
    });
    let asked = 0;
    const lock: ImportLock = {
      async take() {
        if (++asked === 3) stop.abort();
        return null;
      },
    };
    await expect(oneAtATime(importer, { lock, patienceMs: null }).run(stop.signal)).rejects.toThrow('ran');
    expect(looks()).toBe(3);
    let released = 0;
    const free: ImportLock = {
      take: async () => ({
        async release() {
          released++;
        },
      }),
    };
    await expect(oneAtATime(importer, { lock: free, patienceMs: null }).run()).rejects.toThrow('ran');
    expect(released).toBe(1);
  });
});
