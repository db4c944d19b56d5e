import { describe, expect, test } from 'vitest';
import {
  type MemoryFileTree,
  memoryFileTree,
  writtenStream,
} from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { type MemoryLedger, memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { writeRecordFile } from '../../../../tools/network/record-file-writer.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { decodeEntityId, entityId } from '../../../values/entity-id.ts';
import { fixtureUnit } from '../../ledger/fixture-unit.ts';
import type { ImportProgress } from '../report/import-report.ts';
import { ZERO_HASH } from '../sha384.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { createImporter, type ImporterOptions } from './importer.ts';

function importTree(
  tree: MemoryFileTree,
  options: ImporterOptions = {},
  ledger: MemoryLedger = memoryLedger(),
) {
  return ledger.import(createDirectorySource('/stream', tree), options);
}

/** The same files under other paths; null leaves a file out. */
function mapPaths(tree: MemoryFileTree, change: (path: string) => string | null): MemoryFileTree {
  const files = new Map<string, Uint8Array>();
  for (const [path, bytes] of tree.files) {
    const target = change(path);
    if (target !== null) files.set(target, bytes);
  }
  return memoryFileTree(files);
}

function mapBytes(tree: MemoryFileTree, pattern: RegExp, change: (bytes: Uint8Array) => Uint8Array) {
  return memoryFileTree(
    new Map([...tree.files].map(([path, bytes]) => [path, pattern.test(path) ? change(bytes) : bytes])),
  );
}

const flipAt = (offset: number) => (bytes: Uint8Array) => {
  const damaged = Uint8Array.from(bytes);
  damaged[offset % bytes.length] = (damaged[offset % bytes.length] ?? 0) ^ 0x04;
  return damaged;
};

const SECOND_FILE = /2023-11-14T22_13_22/;

describe('createImporter', () => {
  test('imports a written stream whole, and a second run changes nothing', async () => {
    const { tree, written } = await writtenStream();
    const ledger = memoryLedger();
    expect(await importTree(tree, {}, ledger)).toMatchObject({
      units: 4,
      transactions: written.transactions,
      refused: [],
      rejectedSignatures: 0,
      verification: 'signatures',
    });
    expect(ledger.state()).toMatchObject({ state: 'finished', lastConsensusTimestamp: written.last });
    const before = ledger.dump();
    expect(await importTree(tree, {}, ledger)).toMatchObject({ units: 0, transactions: 0, skipped: 4 });
    expect(ledger.dump()).toBe(before);
  });

  test('the rows are complete: transfers add up to zero, effects are there', async () => {
    const { tree } = await writtenStream({ files: 12 });
    const ledger = memoryLedger();
    await importTree(tree, {}, ledger);
    const transactions = ledger.units.flatMap((unit) => unit.transactions);
    const [genesis, ...later] = transactions;
    expect(genesis?.transfers).toMatchObject([{ account: 2n, amount: 5_000_000_000_000_000_000n }]);
    for (const { transfers, tokenTransfers, type } of later) {
      expect(transfers.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
      const isZero = tokenTransfers.reduce((sum, { amount }) => sum + amount, 0n) === 0n;
      expect(isZero || type === 29).toBe(true);
    }
    const types = new Set(transactions.map(({ type }) => type));
    for (const type of [7, 8, 11, 14, 16, 19, 24, 27, 29, 51]) expect(types).toContain(type);
    expect(transactions.some(({ result }) => result === 28)).toBe(true);
    expect(transactions.some(({ parentConsensusTimestamp }) => parentConsensusTimestamp !== null)).toBe(true);
    expect(
      transactions.some(({ tokenTransfers }) => tokenTransfers.some(({ isApproval }) => isApproval)),
    ).toBe(true);
    expect(transactions.some(({ nftTransfers }) => nftTransfers.length > 0)).toBe(true);
    expect(transactions.some(({ stakingRewards }) => stakingRewards.length > 0)).toBe(true);
    const [first] = ledger.units;
    expect(first?.stakeUpdates[0]?.nodes).toHaveLength(4);
    expect(first?.addressBooks.at(-1)?.entries).toHaveLength(4);
    expect(first?.filePieces.map(({ file }) => decodeEntityId(file).num)).toContain(112n);
    expect(first?.tokens.flatMap((change) => ('row' in change ? change.row.kind : []))).toEqual([
      'FUNGIBLE_COMMON',
      'NON_FUNGIBLE_UNIQUE',
    ]);
    expect(first?.topics).toHaveLength(1);
    expect(
      ledger.units.flatMap(({ entities }) => entities).some(({ evmAddress }) => evmAddress?.length === 20),
    ).toBe(true);
  });

  test('continues where it stopped', async () => {
    const { tree, written } = await writtenStream();
    const ledger = memoryLedger();
    const half = mapPaths(tree, (path) => (/T22_13_2[46]/.test(path) ? null : path));
    expect(await importTree(half, {}, ledger)).toMatchObject({ units: 2 });
    expect(await importTree(tree, {}, ledger)).toMatchObject({ units: 2, skipped: 2 });
    const whole = memoryLedger();
    expect(await importTree(tree, {}, whole)).toMatchObject({ transactions: written.transactions });
    expect(ledger.dump()).toBe(whole.dump());
  });

  test('what lies before the end of the ledger and is not in it is told, and not called stored', async () => {
    const { tree } = await writtenStream();
    const ledger = memoryLedger();
    const late = mapPaths(tree, (path) => (/T22_13_2[02]/.test(path) ? null : path));
    await importTree(late, { verify: 'chain' }, ledger);
    const instant = (second: bigint) => consensusTimestamp((1_700_000_000n + second) * 1_000_000_000n);
    expect(await importTree(tree, { verify: 'chain' }, ledger)).toMatchObject({
      units: 0,
      skipped: 2,
      leftBehind: { units: 2, first: instant(0n), last: instant(2n) },
    });
    // What MIRROR_START leaves out is not wanted.
    const start = instant(4n);
    expect((await importTree(tree, { verify: 'chain', start }, ledger)).leftBehind).toBeNull();
    expect(await importTree(late, { verify: 'chain' }, ledger)).toMatchObject({
      skipped: 2,
      leftBehind: null,
    });
  });

  test('a missing file is a gap: what follows is refused', async () => {
    const { tree } = await writtenStream();
    const ledger = memoryLedger();
    const report = await importTree(
      mapPaths(tree, (path) => (SECOND_FILE.test(path) ? null : path)),
      {},
      ledger,
    );
    expect(report).toMatchObject({ units: 1, refused: [{ code: 'chain_mismatch' }] });
    expect(ledger.state()).toMatchObject({
      state: 'gap',
      gap: { name: '2023-11-14T22_13_24.000000000Z.rcd.gz' },
    });
  });

  test.each(Array.from({ length: 12 }, (_, index) => [12 + index * 131]))(
    'byte %i of every copy flipped refuses the file by name and stores nothing of it',
    async (offset) => {
      const { tree } = await writtenStream();
      const ledger = memoryLedger();
      const damaged = mapBytes(tree, /22_13_22.*\.rcd\.gz/, flipAt(offset));
      const report = await importTree(damaged, {}, ledger);
      expect(report).toMatchObject({
        units: 1,
        refused: [{ name: '2023-11-14T22_13_22.000000000Z.rcd.gz' }],
      });
      expect(['malformed', 'file_hash_mismatch', 'unsupported_version']).toContain(report.refused[0]?.code);
      expect(report.refused[0]?.message).toContain('2023-11-14T22_13_22.000000000Z');
      expect(ledger.units).toHaveLength(1);
      expect(ledger.state()?.state).toBe('failed');
    },
  );

  test("one damaged copy is replaced by another node's", async () => {
    const { tree } = await writtenStream();
    const damaged = mapBytes(tree, /record0\.0\.[345]\/.*22_13_22.*\.rcd\.gz/, flipAt(200));
    expect(await importTree(damaged)).toMatchObject({ units: 4, refused: [] });
  });

  test('a gap is told from damage even when one copy is damaged as well', async () => {
    const { tree } = await writtenStream();
    const gap = mapPaths(tree, (path) => (SECOND_FILE.test(path) ? null : path));
    const damaged = mapBytes(gap, /record0\.0\.3\/.*22_13_24.*\.rcd\.gz/, flipAt(200));
    expect(await importTree(damaged)).toMatchObject({ units: 1, refused: [{ code: 'chain_mismatch' }] });
  });

  test("one node's folder may be the source itself", async () => {
    const { tree } = await writtenStream();
    const bytes = tree.files.get('/stream/address_book.bin') ?? new Uint8Array();
    const source = createDirectorySource('/stream/recordstreams/record0.0.4', tree);
    const options: ImporterOptions = {
      consensusRatio: [0n, 1n],
      addressBook: async () => ({ name: 'book.bin', bytes }),
    };
    expect(await memoryLedger().import(source, options)).toMatchObject({ units: 4, refused: [] });
  });

  test('a truncated file is refused', async () => {
    const { tree } = await writtenStream();
    const damaged = mapBytes(tree, /22_13_22.*\.rcd\.gz/, (bytes) => bytes.subarray(0, bytes.length - 9));
    expect(await importTree(damaged)).toMatchObject({ units: 1, refused: [{ code: 'malformed' }] });
  });

  test.each([
    [/record0\.0\.[345]\/.*rcd_sig/, 0],
    [/record0\.0\.[34]\/.*rcd_sig/, 4],
  ])('without the signatures %s, %i units reach a third of four nodes', async (pattern, units) => {
    const { tree } = await writtenStream();
    const fewer = mapPaths(tree, (path) => (pattern.test(path) ? null : path));
    const report = await importTree(fewer);
    expect(report.units).toBe(units);
    if (units === 0) {
      expect(report.refused[0]).toMatchObject({ code: 'consensus_not_reached' });
      expect(report.refused[0]?.message).toContain('1/4 stake');
    }
    expect(await importTree(fewer, { consensusRatio: [0n, 1n] })).toMatchObject({ units: 4 });
  });

  test('weights are stakes once the ledger has them', async () => {
    const { tree } = await writtenStream();
    const late = mapPaths(tree, (path) =>
      /record0\.0\.[345]\/.*rcd_sig/.test(path) && !/22_13_20/.test(path) ? null : path,
    );
    const report = await importTree(late);
    expect(report).toMatchObject({ units: 1, refused: [{ code: 'consensus_not_reached' }] });
    expect(report.refused[0]?.message).toContain('1000000000000000/4000000000000000 stake');
  });

  test('a damaged signature does not count and is reported', async () => {
    const { tree } = await writtenStream();
    const damaged = mapBytes(tree, /record0\.0\.3\/.*rcd_sig/, flipAt(300));
    const ledger = memoryLedger();
    expect(await importTree(damaged, {}, ledger)).toMatchObject({ units: 4, rejectedSignatures: 4 });
    expect(ledger.state()?.rejections).toEqual([{ node: '0.0.3', code: 'bad_signature', count: 4 }]);
  });

  test('without an address book signatures prove nothing; level chain needs none', async () => {
    const { tree } = await writtenStream();
    const bookless = mapPaths(tree, (path) => (path.endsWith('address_book.bin') ? null : path));
    const report = await importTree(bookless);
    expect(report).toMatchObject({ units: 0, refused: [{ code: 'consensus_not_reached' }] });
    expect(report.refused[0]?.message).toContain('--address-book');
    expect(await importTree(bookless, { verify: 'chain' })).toMatchObject({
      units: 4,
      verification: 'chain',
    });
    const addressBook = async () => ({
      name: 'mine.bin',
      bytes: tree.files.get('/stream/address_book.bin') ?? new Uint8Array(),
    });
    expect(await importTree(bookless, { addressBook })).toMatchObject({
      units: 4,
      verification: 'signatures',
    });
  });

  test('level chain finds a running hash that does not fit the items', async () => {
    const { tree } = await writtenStream();
    const plain = mapBytes(tree, /22_13_22.*\.rcd\.gz/, (bytes) => bytes);
    const { gunzipSync } = await import('node:zlib');
    const damaged = mapBytes(plain, /22_13_22.*\.rcd\.gz/, (bytes) => flipAt(400)(gunzipSync(bytes)));
    const report = await importTree(damaged, { verify: 'chain' });
    expect(report.units).toBe(1);
    expect(['running_hash_mismatch', 'malformed']).toContain(report.refused[0]?.code);
  });

  test('a book written by file 102 holds from the next unit on', async () => {
    const strangers = await writtenStream({ seed: 'strangers', files: 1 });
    const contents = strangers.tree.files.get('/stream/address_book.bin') ?? new Uint8Array();
    const { tree } = await writtenStream({ systemFiles: [{ num: 102n, contents }] });
    expect(await importTree(tree)).toMatchObject({ units: 1, refused: [{ code: 'consensus_not_reached' }] });
  });

  test('a refused first file leaves nothing, not even the book that was to prove it', async () => {
    const strangers = await writtenStream({ seed: 'strangers' });
    const { tree } = await writtenStream();
    const mixed = mapBytes(tree, /address_book\.bin/, () => {
      return strangers.tree.files.get('/stream/address_book.bin') ?? new Uint8Array();
    });
    const ledger = memoryLedger();
    const empty = ledger.dump();
    expect(await importTree(mixed, {}, ledger)).toMatchObject({
      units: 0,
      refused: [{ code: 'consensus_not_reached' }],
    });
    expect(ledger.dump()).toBe(empty);
    expect(await importTree(tree, {}, ledger)).toMatchObject({ units: 4, refused: [] });
  });

  test('a fixture between two files is no link of the chain', async () => {
    const { tree } = await writtenStream();
    const ledger = memoryLedger();
    const half = mapPaths(tree, (path) => (/T22_13_2[46]/.test(path) ? null : path));
    await importTree(half, {}, ledger);
    const timestamp = consensusTimestamp((ledger.units.at(-1)?.header.consensusEnd ?? 0n) + 1n);
    const balances = [{ account: entityId(5n), balance: 1n, timestamp }];
    expect(await ledger.repository.commitUnit(fixtureUnit('between', { balances }))).toBe('stored');
    expect(await importTree(tree, {}, ledger)).toMatchObject({ units: 2, skipped: 2, refused: [] });
  });

  test('a ledger of another shard or realm than the configured one is refused, naming the variables', async () => {
    const { tree } = await writtenStream({ shard: 11n, realm: 12n });
    const ledger = memoryLedger();
    await expect(importTree(tree, {}, ledger)).rejects.toThrow(
      'is of shard 11 and realm 12, not of 0 and 0: set MIRROR_SHARD=11 and MIRROR_REALM=12',
    );
    expect(ledger.state()?.state).toBe('failed');
    expect(ledger.units).toEqual([]);
  });

  test('any shard and realm will do', async () => {
    const { tree } = await writtenStream({ shard: 11n, realm: 12n });
    const ledger = memoryLedger();
    expect(await importTree(tree, { shard: 11n, realm: 12n }, ledger)).toMatchObject({
      units: 4,
      refused: [],
    });
    expect(decodeEntityId(ledger.units[0]?.filePieces[0]?.file ?? 0n)).toEqual({
      shard: 11n,
      realm: 12n,
      num: 102n,
    });
  });

  const nodeIdLayout = (path: string) =>
    path.replace(
      /recordstreams\/record0\.0\.(\d+)\//,
      (_all, account) => `demo/0/${Number(account) - 3}/record/`,
    );
  const dayFolders = (path: string) => path.replace('/recordstreams/', '/2023-11-14/recordstreams/');
  const flat = (path: string) => {
    const match = /record(0\.0\.\d+)\/(.*Z)\.(rcd\.gz|rcd_sig)$/.exec(path);
    if (match === null) return path;
    const [, account, instant, extension] = match;
    return `/stream/${instant}/${extension === 'rcd_sig' ? `node_${account}.rcd_sig` : `${instant}.rcd.gz`}`;
  };
  test.each([
    ['node ids', nodeIdLayout],
    ['day folders', dayFolders],
    ['one folder per instant', flat],
  ])('the layout with %s is understood', async (_name, layout) => {
    const { tree } = await writtenStream();
    expect(await importTree(mapPaths(tree, layout))).toMatchObject({ units: 4, refused: [] });
  });

  test('other files are ignored, an empty folder is an error that says so', async () => {
    const { tree } = await writtenStream();
    tree.files.set('/stream/recordstreams/notes.txt', Uint8Array.of(1));
    tree.files.set('/stream/recordstreams/record0.0.3/2023-11-14t22_13_22Z.RCD', Uint8Array.of(1));
    tree.files.set('/stream/recordstreams/record0.0.3/2023-11-14T22_14_00Z.rcd.gz', new Uint8Array());
    expect(await importTree(tree)).toMatchObject({ units: 4, refused: [] });
    const nothing = memoryFileTree(new Map([['/stream/readme.md', Uint8Array.of(1)]]));
    await expect(importTree(nothing)).rejects.toMatchObject({ code: 'nothing_to_import' });
    await expect(importTree(memoryFileTree())).rejects.toMatchObject({ code: 'unreadable_file' });
  });

  test('an abort ends the run after the unit in hand', async () => {
    const { tree } = await writtenStream();
    const ledger = memoryLedger();
    const stop = new AbortController();
    const importer = createImporter({
      repository: ledger.repository,
      source: createDirectorySource('/stream', tree),
      progress: ({ unitsDone }) => unitsDone === 2 && stop.abort(),
    });
    expect(await importer.run(stop.signal)).toMatchObject({ units: 2, refused: [] });
    expect(importer.state().state).toBe('idle');
  });
});

describe('readBootstrapBook', () => {
  test('tells the name and SHA-256 of the book that is trusted', async () => {
    const { tree, written } = await writtenStream({ files: 1 });
    const lines: string[] = [];
    const log = { info: (_fields: object, message: string) => lines.push(message), warn: () => {} };
    const source = createDirectorySource('/stream', tree);
    await createImporter({ repository: memoryLedger().repository, source, log }).run();
    expect(lines).toEqual([
      `address book /stream/address_book.bin trusted, SHA-256 ${written.addressBookSha256}`,
    ]);
  });
});

describe('start and end', () => {
  test('limit what is imported; a later end continues', async () => {
    const { tree } = await writtenStream();
    const ledger = memoryLedger();
    const instant = (second: bigint) => consensusTimestamp((1_700_000_000n + second) * 1_000_000_000n);
    const limits = { verify: 'chain', start: instant(2n), end: instant(4n) } as const;
    expect(await importTree(tree, limits, ledger)).toMatchObject({ units: 2, refused: [] });
    expect(ledger.units[0]?.header.consensusStart).toBe(instant(2n));
    expect(ledger.state()).toMatchObject({ state: 'finished' });
    expect(await importTree(tree, { ...limits, end: null }, ledger)).toMatchObject({ units: 1, refused: [] });
    expect(await importTree(tree, { ...limits, start: null }, ledger)).toMatchObject({ units: 0 });
  });
});

describe('a failed stake update', () => {
  test('changes nothing and is told with its file, time and result', async () => {
    const consensus = consensusTimestamp(1_700_000_000_000_000_001n);
    const data = { nodeStakeUpdate: { nodeStake: [{ nodeId: 0n, stake: 5n }] } };
    const event = { consensus, validStart: consensus, payer: 800n, data, status: 1, fee: 0n, node: null };
    const { bytes } = writeRecordFile(
      [ledgerItem(event, { shard: 0n, realm: 0n })],
      ZERO_HASH,
      0n,
      [0, 65, 0],
    );
    const name = '2023-11-14T22_13_20.000000001Z.rcd';
    const tree = memoryFileTree(new Map([[`/stream/${name}`, bytes]]));
    const warnings: unknown[] = [];
    const ledger = memoryLedger();
    await createImporter({
      repository: ledger.repository,
      source: createDirectorySource('/stream', tree),
      options: { verify: 'chain' },
      log: { info: () => {}, warn: (fields, message) => warnings.push([fields, message]) },
    }).run();
    expect(ledger.units[0]?.stakeUpdates).toEqual([]);
    expect(warnings).toEqual([
      [
        { name, result: 'INVALID_TRANSACTION' },
        'the stake update at 1700000000.000000001 failed: the stakes are unchanged',
      ],
    ]);
  });
});

describe('progress', () => {
  test('counts the units that are to be imported, not those that the ledger has', async () => {
    const { tree } = await writtenStream();
    const ledger = memoryLedger();
    const isFirst = (path: string) => /22_13_20|book/.test(path);
    await importTree(
      mapPaths(tree, (path) => (isFirst(path) ? path : null)),
      {},
      ledger,
    );
    const done: string[] = [];
    const source = createDirectorySource('/stream', tree);
    const progress = ({ unitsDone, unitsTotal }: ImportProgress) =>
      done.push(`${unitsDone} of ${unitsTotal}`);
    await createImporter({ repository: ledger.repository, source, progress }).run();
    expect(done).toEqual(['1 of 3', '2 of 3', '3 of 3']);
  });
});

describe('writeStream', () => {
  test('the same seed writes the same files', async () => {
    const [one, two] = [await writtenStream({ files: 2 }), await writtenStream({ files: 2 })];
    expect([...one.tree.files.entries()]).toEqual([...two.tree.files.entries()]);
    const other = await writtenStream({ files: 2, seed: 'other' });
    expect(other.written.addressBookSha256).not.toBe(one.written.addressBookSha256);
  });
});
