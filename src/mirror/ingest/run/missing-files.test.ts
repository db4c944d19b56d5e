import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  type MemoryFileTree,
  memoryFileTree,
  writtenStream,
} from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import type { WrittenContract } from '../../../../tools/network/contract-events.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { messageType } from '../../protobuf/messages.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { findOpenGap } from './find-open-gap.ts';
import { createImporter, type ImporterOptions } from './importer.ts';

const FIRST = /22_13_20.*\.rcd\.gz$/;
const SECOND = /22_13_22.*\.rcd\.gz$/;
const LAST = /22_13_26.*\.rcd\.gz$/;
const SIGNATURE = /\.rcd_sig$/;

/** The same files with other contents; null leaves a file out. */
function changed(tree: MemoryFileTree, change: (path: string, bytes: Uint8Array) => Uint8Array | null) {
  const files = [...tree.files].flatMap(([path, bytes]): [string, Uint8Array][] => {
    const result = change(path, bytes);
    return result === null ? [] : [[path, result]];
  });
  return memoryFileTree(new Map(files));
}
const emptied = (tree: MemoryFileTree, pattern: RegExp) =>
  changed(tree, (path, bytes) => (pattern.test(path) ? new Uint8Array() : bytes));
const without = (tree: MemoryFileTree, pattern: RegExp) =>
  changed(tree, (path, bytes) => (pattern.test(path) ? null : bytes));

async function importTree(tree: MemoryFileTree, options: ImporterOptions = {}, gaps = noGaps) {
  const ledger = memoryLedger();
  const warnings: string[] = [];
  const importer = createImporter({
    repository: ledger.repository,
    source: createDirectorySource('/stream', tree),
    gaps,
    options,
    log: { info: () => {}, warn: (_fields, message) => warnings.push(message) },
  });
  const report = await importer.run();
  return { ledger, report, state: importer.state(), warnings };
}

describe('a record file that its signatures prove', () => {
  test.each([
    ['the first', FIRST, 0],
    ['one between others', SECOND, 1],
    ['the last', LAST, 3],
  ])('%s, without content in any copy, stops the import by name', async (_which, pattern, units) => {
    const { tree } = await writtenStream();
    for (const broken of [emptied(tree, pattern), without(tree, pattern)]) {
      const { report, state } = await importTree(broken);
      expect(report).toMatchObject({ units, refused: [{ code: 'record_file_missing' }] });
      expect(report.refused[0]?.name).toMatch(/^2023-11-14T22_13_2\d\.000000000Z\.rcd/);
      expect(report.refused[0]?.message).toContain('its signatures are valid (nodes 0, 1, 2, 3)');
      expect(state).toMatchObject({ state: 'gap', gap: { name: report.refused[0]?.name } });
      expect(state.rejections).toContainEqual({ node: '', code: 'record_file_missing', count: 1 });
    }
  });

  test('an empty copy is counted by its node; an intact one of another node is taken', async () => {
    const { tree } = await writtenStream();
    const { report, state } = await importTree(emptied(tree, /record0\.0\.3\/.*22_13_26.*rcd\.gz/));
    expect(report).toMatchObject({ units: 4, refused: [] });
    expect(state.rejections).toEqual([{ node: '0.0.3', code: 'empty_file', count: 1 }]);
  });

  test('is passed over in a gap that the operator accepted, which is found behind it', async () => {
    const { tree } = await writtenStream();
    const broken = emptied(tree, SECOND);
    const { ledger } = await importTree(broken);
    const gap = await findOpenGap(createDirectorySource('/stream', broken), ledger.repository, noGaps);
    expect(gap).toMatchObject({ unit: '2023-11-14T22_13_24.000000000Z.rcd.gz' });
    const accepted = {
      accepts: async () => true,
      covers: async (instant: bigint) => gap !== null && gap.from < instant && instant < gap.to,
    };
    expect((await importTree(broken, {}, accepted)).report).toMatchObject({ units: 3, refused: [] });
  });

  test('is left with MIRROR_START behind it and MIRROR_END before it', async () => {
    const { tree } = await writtenStream();
    const instant = (second: bigint) => consensusTimestamp((1_700_000_000n + second) * 1_000_000_000n);
    const behind = await importTree(emptied(tree, FIRST), { start: instant(2n) });
    expect(behind.report).toMatchObject({ units: 3, refused: [] });
    const before = await importTree(emptied(tree, LAST), { end: instant(4n) });
    expect(before.report).toMatchObject({ units: 3, refused: [] });
  });
});

describe('a record file that nothing proves', () => {
  test.each(['signatures', 'chain', 'none'] as const)(
    'is left out with a word at level %s',
    async (verify) => {
      const { tree } = await writtenStream();
      tree.files.set('/stream/recordstreams/record0.0.4/2023-11-14T22_13_28Z.rcd.gz', new Uint8Array());
      const { report, state, warnings } = await importTree(tree, { verify });
      expect(report).toMatchObject({ units: 4, refused: [] });
      expect(warnings).toContainEqual(expect.stringContaining('2023-11-14T22_13_28Z.rcd.gz has no content'));
      expect(state.rejections).toContainEqual({ node: '0.0.4', code: 'empty_file', count: 1 });
    },
  );

  test('a signature of a stranger stops nothing', async () => {
    const { tree } = await writtenStream();
    const [signature = new Uint8Array()] = [...tree.files].flatMap(([path, bytes]) =>
      SIGNATURE.test(path) ? [bytes] : [],
    );
    tree.files.set('/stream/recordstreams/record0.0.99/2023-11-14T22_13_18Z.rcd_sig', signature);
    const { report, warnings } = await importTree(tree);
    expect(report).toMatchObject({ units: 4, refused: [] });
    expect(warnings).toContainEqual(expect.stringContaining('2023-11-14T22_13_18Z.rcd is missing'));
  });
});

describe('signatures', () => {
  test('without content do not count and are reported', async () => {
    const { tree } = await writtenStream();
    const { report, state } = await importTree(emptied(tree, /record0\.0\.5\/.*rcd_sig/));
    expect(report).toMatchObject({ units: 4, rejectedSignatures: 4 });
    expect(state.rejections).toEqual([{ node: '0.0.5', code: 'malformed', count: 4 }]);
  });

  test.each([
    ['are all missing', without],
    ['have no content', emptied],
  ])('of the last file that %s refuse it', async (_how, broken) => {
    const { tree } = await writtenStream();
    const { report } = await importTree(broken(tree, /22_13_26.*rcd_sig/));
    expect(report).toMatchObject({ units: 3, refused: [{ code: 'consensus_not_reached' }] });
  });
});

describe('a name that is not the time of the first transaction', () => {
  const renamed = (tree: MemoryFileTree, from: string, to: string) =>
    memoryFileTree(new Map([...tree.files].map(([path, bytes]) => [path.replace(from, to), bytes])));

  test.each(['signatures', 'chain', 'none'] as const)(
    'refuses the file at level %s, wherever the name puts it',
    async (verify) => {
      const { tree } = await writtenStream();
      for (const [from, to, units] of [
        ['22_13_20.000000000', '22_13_19.000000000', 0],
        ['22_13_26.000000000', '22_13_29.500000000', 3],
      ] as const) {
        const { report } = await importTree(renamed(tree, from, to), { verify });
        expect(report).toMatchObject({ units, refused: [{ code: 'wrong_file_name' }] });
        expect(report.refused[0]?.message).toMatch(
          /says \d{10}\.\d{9}, but .* is of 17000000\d\d\.000000000$/,
        );
      }
    },
  );

  test('of one copy is passed over, since the copies with the right name are stored', async () => {
    const { tree } = await writtenStream();
    const files = new Map(tree.files);
    const [path = '', bytes = new Uint8Array()] = [...tree.files].find(([name]) => LAST.test(name)) ?? [];
    files.set(path.replace('22_13_26', '22_13_28'), bytes);
    const { report } = await importTree(memoryFileTree(files), { verify: 'chain' });
    expect(report).toMatchObject({ units: 4, skipped: 1, refused: [], leftBehind: null });
  });

  test.each(['22_13_21', '22_13_23', '22_13_28'])(
    'of a copy of a stored file, %s, is passed over when the folder is imported again',
    async (name) => {
      const { tree } = await writtenStream();
      const ledger = memoryLedger();
      const source = (files: MemoryFileTree) => createDirectorySource('/stream', files);
      expect(await ledger.import(source(tree), { verify: 'chain' })).toMatchObject({ units: 4, refused: [] });
      const copied = new Map(tree.files);
      const [path = '', bytes = new Uint8Array()] = [...tree.files].find(([each]) => LAST.test(each)) ?? [];
      copied.set(path.replace('22_13_26', name), bytes);
      const report = await ledger.import(source(memoryFileTree(copied)), { verify: 'chain' });
      expect(report).toMatchObject({ units: 0, skipped: 5, refused: [], leftBehind: null });
    },
  );
});

describe('sidecars', () => {
  const made: WrittenContract = {
    by: 'contract',
    creationCode: Uint8Array.of(1),
    runtimeCode: Uint8Array.of(2),
  };
  const SIDECAR = /\/sidecar\//;

  test.each([
    ['missing', (tree: MemoryFileTree) => without(tree, SIDECAR)],
    ['without content', (tree: MemoryFileTree) => emptied(tree, SIDECAR)],
    [
      'of another name',
      (tree: MemoryFileTree) =>
        memoryFileTree(
          new Map([...tree.files].map(([path, bytes]) => [path.replace('Z_01', 'Z_02'), bytes])),
        ),
    ],
  ])('that are %s are told with the unit', async (_how, broken) => {
    const { tree } = await writtenStream({ contracts: [made], files: 2 });
    const { ledger, report, warnings } = await importTree(broken(tree));
    expect(report).toMatchObject({ units: 2, refused: [], missingSidecars: 1 });
    expect(ledger.units.map(({ sidecars }) => sidecars)).toMatchObject([
      [{ id: 1, types: [3], contents: null }],
      [],
    ]);
    expect(warnings).toContainEqual(expect.stringContaining('sidecars are missing'));
  });

  test('of which one number is named twice refuse the unit', async () => {
    const { tree } = await writtenStream({ contracts: [made], files: 1 });
    const hash = { algorithm: 1, length: 48, hash: new Uint8Array(48) };
    const again = messageType<object>('proto.RecordStreamFile').encode({ sidecars: [{ id: 1, hash }] });
    const twice = changed(tree, (path, bytes) =>
      FIRST.test(path) && !SIDECAR.test(path) ? gzipSync(Buffer.concat([gunzipSync(bytes), again])) : bytes,
    );
    const { ledger, report } = await importTree(twice, { verify: 'none' });
    expect(report.refused).toMatchObject([
      { code: 'malformed', message: expect.stringContaining('sidecar 1 twice') },
    ]);
    expect(ledger.units).toEqual([]);
  });

  test('that are there are kept as they came', async () => {
    const { tree } = await writtenStream({ contracts: [made], files: 1 });
    const { ledger, report } = await importTree(tree);
    const [contents] = [...tree.files].flatMap(([path, bytes]) => (SIDECAR.test(path) ? [bytes] : []));
    expect(report.missingSidecars).toBe(0);
    expect(ledger.units[0]?.sidecars).toMatchObject([{ id: 1, types: [3], contents }]);
  });
});
