import { describe, expect, test } from 'vitest';
import { pagedSource } from '../../../../test/kit/mirror/ingest/made-up-units.ts';
import {
  type MemoryFileTree,
  memoryFileTree,
  writtenStream,
} from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { ManualClock } from '../../../values/clock.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { emptyLookup } from '../decode/known-entities.ts';
import { onePage } from '../units/stream-source.ts';
import { noImportLock } from './import-lock.ts';
import { createLedgerImports, type LedgerImportsDependencies } from './ledger-imports.ts';

const NOW = 1_800_000_000_000;
const noLive = () => Promise.reject(new Error('there is no live source'));
const silent = { info: () => {}, warn: () => {}, error: () => {} };

function importsOf(
  tree: MemoryFileTree,
  addressBookPath: string | null = null,
  openLive: LedgerImportsDependencies['openLive'] = noLive,
) {
  return createLedgerImports({
    repository: memoryLedger().repository,
    lookup: emptyLookup,
    gaps: noGaps,
    lock: noImportLock,
    tree,
    addressBookPath,
    openLive,
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
    const sources = {
      importPaths: ['/stream', '/stream/recordstreams'],
      watchPaths: [],
      live: [],
      watchPeriodMs: 1000,
    };
    imports.begin(sources);
    await expect.poll(() => imports.states()[0]).toMatchObject({ state: 'failed' });
    await imports.close();
    expect(imports.states()).toMatchObject([
      { source: '/stream', state: 'failed', error: expect.stringContaining('.rcd.gz') },
      { source: '/stream/recordstreams', state: 'idle' },
    ]);
  });

  test('closes the live sources that it made, behind the last look at them', async () => {
    const events: string[] = [];
    const live = { kind: 'mirror', name: 'https://mirror', url: 'https://mirror' } as const;
    const imports = importsOf(memoryFileTree(), null, async () => ({
      ...pagedSource([], 1, []),
      list: async () => {
        events.push('listed');
        return { older: [], pages: onePage([]) };
      },
      close: async () => void events.push('closed'),
    }));
    imports.begin({ importPaths: [], watchPaths: [], live: [live], watchPeriodMs: 1000 });
    await expect.poll(() => events).toContain('listed');
    await imports.close();
    expect(events.at(-1)).toBe('closed');
    expect(events.filter((event) => event === 'closed')).toHaveLength(1);
  });

  test('an address book that cannot be read is told as the state of the source', async () => {
    const { tree } = await writtenStream();
    const imports = importsOf(tree, '/nowhere.bin');
    imports.begin({ importPaths: ['/stream'], watchPaths: [], live: [], watchPeriodMs: 1000 });
    await imports.close();
    expect(imports.states()).toMatchObject([
      { state: 'failed', error: expect.stringContaining('/nowhere.bin') },
    ]);
  });
});

describe('an import of a server on a full disk', () => {
  async function importOn(isPassing: boolean) {
    const { tree } = await writtenStream();
    const ledger = memoryLedger();
    let faults = 3;
    const logged: string[] = [];
    const imports = createLedgerImports({
      repository: {
        ...ledger.repository,
        async commitUnits(units) {
          if (faults > 0) {
            faults -= 1;
            throw new Error('the disk is full');
          }
          return ledger.repository.commitUnits(units);
        },
      },
      lookup: emptyLookup,
      gaps: noGaps,
      lock: noImportLock,
      tree,
      addressBookPath: null,
      openLive: noLive,
      options: {},
      log: { ...silent, error: (_fields: object, message: string) => logged.push(message) },
      isPassingFault: () => isPassing,
      pause: async () => {},
    });
    imports.begin({ importPaths: ['/stream'], watchPaths: [], live: [], watchPeriodMs: 1000 });
    await expect.poll(() => imports.states()[0]?.state).toMatch(isPassing ? /finished/ : /failed/);
    await imports.close();
    return { faults, logged, state: imports.states()[0] };
  }

  test('continues by itself when there is space, and says once why it waits', async () => {
    expect(await importOn(true)).toMatchObject({ faults: 0, logged: ['import failed'] });
  });

  test('ends with a fault that does not pass', async () => {
    expect(await importOn(false)).toMatchObject({ faults: 2, state: { state: 'failed' } });
  });
});

/** Imports that watch `/stream`; `look` lets them look once more and waits until they have. */
function watching(tree: MemoryFileTree, ledger = memoryLedger()) {
  const clock = new ManualClock(NOW);
  const logged: string[] = [];
  const log = {
    info: () => {},
    warn: (_fields: object, message: string) => logged.push(message),
    error: (_fields: object, message: string) => logged.push(message),
  };
  let [goOn, isWaiting] = [() => {}, () => {}];
  let waits = new Promise<void>((resolve) => {
    isWaiting = resolve;
  });
  const imports = createLedgerImports({
    repository: ledger.repository,
    lookup: emptyLookup,
    gaps: noGaps,
    lock: noImportLock,
    tree,
    addressBookPath: null,
    openLive: noLive,
    options: {},
    log,
    clock,
    pause: (_milliseconds, signal) =>
      new Promise((resolve) => {
        goOn = resolve;
        signal.addEventListener('abort', () => resolve());
        isWaiting();
      }),
  });
  imports.begin({ importPaths: [], watchPaths: ['/stream'], live: [], watchPeriodMs: 1000 });
  return {
    clock,
    imports,
    ledger,
    logged,
    state: () => imports.states()[0],
    settled: () => waits,
    async look() {
      await waits;
      waits = new Promise((resolve) => {
        isWaiting = resolve;
      });
      goOn();
      await waits;
    },
  };
}

/** Paths of the units of a written stream, the oldest first, each with its signatures. */
function unitPaths(tree: MemoryFileTree): readonly (readonly string[])[] {
  const paths = [...tree.files.keys()].filter((path) => path.includes('.rcd'));
  const instants = [...new Set(paths.map((path) => path.split('/').at(-1)?.slice(0, 30)))].sort();
  return instants.map((instant) => paths.filter((path) => path.includes(`/${instant}`)));
}

function move(paths: readonly string[], from: MemoryFileTree, to: MemoryFileTree): void {
  for (const path of paths) to.files.set(path, from.files.get(path) ?? new Uint8Array());
}

describe('watching a folder', () => {
  test('waits for a folder that is not there, says so once, and imports what comes', async () => {
    const { tree: written } = await writtenStream();
    const tree = memoryFileTree();
    const { imports, ledger, logged, look, settled, state } = watching(tree);
    await settled();
    expect(state()).toMatchObject({ state: 'failed', error: 'There is no file or folder /stream' });
    await look();
    expect(logged).toHaveLength(1);
    for (const [path, bytes] of written.files) tree.files.set(path, bytes);
    await look();
    expect(state()).toMatchObject({ state: 'idle', verification: 'signatures' });
    expect(state()?.error).toBeNull();
    expect(ledger.units).toHaveLength(4);
    await imports.close();
  });

  test('takes units as they come and waits for a missing one between them', async () => {
    const { tree: written } = await writtenStream();
    const [first = [], second = [], third = []] = unitPaths(written);
    const tree = memoryFileTree();
    move(['/stream/address_book.bin', ...first], written, tree);
    const { imports, ledger, look, logged, settled, state } = watching(tree);
    await settled();
    expect(ledger.units).toHaveLength(1);
    expect(state()).toMatchObject({ state: 'idle', gap: null });
    move(third, written, tree);
    await look();
    await look();
    expect(state()).toMatchObject({ state: 'gap', gap: { name: expect.stringContaining('22_13_24') } });
    expect(logged).toHaveLength(1);
    move(second, written, tree);
    await look();
    expect(ledger.units).toHaveLength(3);
    expect(state()).toMatchObject({ state: 'idle', gap: null });
    await imports.close();
  });

  test('signatures may come later; only when they stay away the source has failed', async () => {
    const { tree: written } = await writtenStream();
    const [first = []] = unitPaths(written);
    const tree = memoryFileTree();
    const records = first.filter((path) => !path.endsWith('_sig'));
    move(['/stream/address_book.bin', ...records], written, tree);
    const { clock, imports, ledger, look, settled, state } = watching(tree);
    await settled();
    await look();
    expect(state()).toMatchObject({ state: 'idle', error: expect.stringContaining('Consensus not reached') });
    clock.advance(31_000);
    await look();
    expect(state()).toMatchObject({
      state: 'failed',
      rejections: [{ node: '', code: 'consensus_not_reached', count: 1 }],
    });
    move(first, written, tree);
    await look();
    expect(ledger.units).toHaveLength(1);
    expect(state()).toMatchObject({ state: 'idle', lastUnit: expect.stringContaining('.rcd.gz') });
    await imports.close();
  });

  test('a record file may come after its signatures, a sidecar after both; nothing is taken without it', async () => {
    const start = consensusTimestamp(BigInt(NOW) * 1_000_000n);
    const code = Uint8Array.of(1);
    const contracts = [{ by: 'contract', creationCode: code, runtimeCode: code }] as const;
    const { tree: written } = await writtenStream({ start, contracts, files: 2 });
    const tree = memoryFileTree();
    const paths = [...written.files.keys()];
    const isRecord = (path: string) => path.endsWith('.rcd.gz') && !path.includes('/sidecar/');
    move(
      paths.filter((path) => !path.endsWith('.rcd.gz')),
      written,
      tree,
    );
    const { imports, ledger, look, logged, settled, state } = watching(tree);
    await settled();
    expect(state()).toMatchObject({ state: 'idle', gap: null });
    move(paths.filter(isRecord), written, tree);
    await look();
    expect(ledger.units).toEqual([]);
    expect(state()).toMatchObject({ state: 'idle', error: expect.stringContaining('sidecars') });
    expect(logged.filter((line) => line.includes('sidecar'))).toEqual([]);
    move(paths, written, tree);
    await look();
    expect(ledger.units.map(({ sidecars }) => sidecars.map(({ contents }) => contents !== null))).toEqual([
      [true],
      [],
    ]);
    await imports.close();
  });

  test('a sidecar that stays away is waited for half a minute, then told as missing', async () => {
    const start = consensusTimestamp(BigInt(NOW) * 1_000_000n);
    const code = Uint8Array.of(1);
    const contracts = [{ by: 'contract', creationCode: code, runtimeCode: code }] as const;
    const { tree } = await writtenStream({ start, contracts, files: 1 });
    for (const path of tree.files.keys()) if (path.includes('/sidecar/')) tree.files.delete(path);
    const { clock, imports, ledger, look, logged, settled } = watching(tree);
    await settled();
    expect(ledger.units).toEqual([]);
    clock.advance(31_000);
    await look();
    expect(ledger.units[0]?.sidecars).toMatchObject([{ contents: null }]);
    expect(logged).toContainEqual(expect.stringContaining('sidecars are missing'));
    await imports.close();
  });

  test('a record file that stays away although its signatures hold is a gap after half a minute', async () => {
    const { tree } = await writtenStream({ start: consensusTimestamp(BigInt(NOW) * 1_000_000n), files: 2 });
    const [first = []] = unitPaths(tree);
    for (const path of first) if (path.endsWith('.rcd.gz')) tree.files.set(path, new Uint8Array());
    const { clock, imports, ledger, look, settled, state } = watching(tree);
    await settled();
    expect(state()).toMatchObject({ state: 'idle', gap: null });
    clock.advance(31_000);
    await look();
    expect(state()).toMatchObject({ state: 'gap', gap: { message: expect.stringContaining('no content') } });
    expect(ledger.units).toEqual([]);
    await imports.close();
  });

  test('a new process continues after the last stored unit', async () => {
    const { tree: written } = await writtenStream();
    const [first = [], second = []] = unitPaths(written);
    const tree = memoryFileTree();
    move(['/stream/address_book.bin', ...first], written, tree);
    const before = watching(tree);
    await before.settled();
    await before.imports.close();
    move(second, written, tree);
    const after = watching(tree, before.ledger);
    await after.settled();
    expect(after.ledger.units).toHaveLength(2);
    await after.imports.close();
  });
});
