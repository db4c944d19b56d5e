import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import {
  blockMessage,
  footerMessage,
  headerMessage,
  lengthField,
  numberField,
} from '../../../../test/kit/mirror/ingest/block-bytes.ts';
import { sharedBlock } from '../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { type MemoryFileTree, memoryFileTree } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { type MemoryLedger, memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { writeBlocks } from '../../../../tools/network/index.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { rawField } from '../../protobuf/wire.ts';
import { blockFileName } from '../block/block-source.ts';
import { rootOfEdge, treeBefore } from '../block/chain-links.ts';
import { EMPTY_TREE } from '../block/hash-tree.ts';
import { blockRoots } from '../block/native-block.ts';
import { parseBlock } from '../block/parse-block.ts';
import { int32 } from '../record-file/running-hash.ts';
import { createDirectorySource, createWatchedFolder } from '../source/directory-source.ts';
import { streamInstant } from '../units/stream-file-name.ts';
import { createImporter, type ImporterOptions } from './importer.ts';

const NUMBERS = [0, 1, 2];
const ZSTD_BEGIN = [0x28, 0xb5, 0x2f, 0xfd, 0x80];
const CHAIN = { verify: 'chain' } as const;

/** Wrapped record files of a real network. */
const wrapped = (number: number): Uint8Array => sharedBlock(`blocks-wrapped-solo/${number}.blk.gz`);

/** The record file in one, as a network writes it. */
function record(number: number): { readonly name: string; readonly bytes: Uint8Array } {
  const { header, items } = parseBlock(wrapped(number), 'wrapped');
  const item = items.find(({ field }) => field === 10)?.bytes ?? new Uint8Array();
  const bytes = Buffer.concat([int32(6), rawField(item, 2) ?? new Uint8Array()]);
  return { name: `${streamInstant(header.timestamp)}.rcd`, bytes };
}

/** A native block without transactions and with a proof that nobody can check. */
function native(
  number: bigint,
  at: bigint,
  end: { readonly root: Uint8Array | null; readonly tree: Uint8Array | null },
  release = 0,
): Uint8Array {
  const edge = treeBefore({ ...end, blockNumber: number - 1n });
  const footer = footerMessage(
    end.root ?? EMPTY_TREE,
    edge === null ? EMPTY_TREE : rootOfEdge(edge),
    EMPTY_TREE,
  );
  const header = Buffer.concat([headerMessage(number, at), lengthField(2, numberField(3, release))]);
  const proof = Buffer.concat([numberField(1, number), lengthField(99, Uint8Array.of(1))]);
  return blockMessage([
    [1, header],
    [3, new Uint8Array()],
    [12, footer],
    [9, proof],
  ]);
}

const endOf = ({ units }: MemoryLedger): bigint => units.at(-1)?.header.consensusEnd ?? 0n;

/** A frame of zstd whose blocks are not compressed. */
function zstd(bytes: Uint8Array): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 65_536) {
    const chunk = bytes.subarray(at, at + 65_536);
    const head = chunk.length * 8 + (at + 65_536 >= bytes.length ? 1 : 0);
    chunks.push(Uint8Array.of(head & 0xff, (head >> 8) & 0xff, head >> 16), chunk);
  }
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([Uint8Array.from(ZSTD_BEGIN), Uint8Array.of(0x38), size, ...chunks]);
}

let tree: MemoryFileTree;
let ledger: MemoryLedger;
const put = (path: string, bytes: Uint8Array): unknown => tree.files.set(`/streams/${path}`, bytes);
const run = (options: ImporterOptions = CHAIN, warn = (_message: string): unknown => null) =>
  ledger.import(createDirectorySource('/streams', tree, { warn }), options);
const stored = () => ledger.units.map(({ header }) => [header.kind, header.isNative, header.blockNumber]);
const WRAPPED = NUMBERS.map((number) => ['block', false, BigInt(number)]);

describeShared('block files in a folder', () => {
  beforeEach(() => {
    tree = memoryFileTree();
    ledger = memoryLedger();
  });

  test.each([
    ['of tools', (number: number) => `${number}.blk.gz`, gzipSync],
    ['of tools, with all digits', (number: number) => `${String(number).padStart(19, '0')}.blk.zstd`, zstd],
    [
      'of a consensus node',
      (number: number) => `block-0.0.3/${String(number).padStart(36, '0')}.blk`,
      (bytes: Uint8Array) => bytes,
    ],
    [
      'of a bucket',
      (number: number) => `solo-202608102105/block/0000/0000/0000/0000/00${number}.blk.zstd`,
      zstd,
    ],
    ['of a main network', (number: number) => `mainnet/block/0000/0000/0000/0000/00${number}.blk.zst`, zstd],
    ['of the cloud plugin', (number: number) => `blocks/0000/0000/0000/0000/00${number}.blk.zstd`, zstd],
  ])('are found under the names %s', async (_what, nameOf, pack) => {
    for (const number of NUMBERS) put(nameOf(number), pack(wrapped(number)));
    put('block-0.0.3/000000000000000000000000000000000009.mf', new Uint8Array(1));
    put('notes.blk', new Uint8Array(1));
    expect(await run()).toMatchObject({ units: 3, transactions: 982, refused: [] });
    expect(stored()).toEqual(WRAPPED);
    const before = ledger.dump();
    expect(await run()).toMatchObject({ units: 0, skipped: 3, refused: [] });
    expect(ledger.dump()).toBe(before);
  });

  test('of a network before its reset are not read', async () => {
    put('testnet-202608102105/block/0000/0000/0000/0000/000.blk', wrapped(0));
    put('testnet-202501010000/block/0000/0000/0000/0000/001.blk', new Uint8Array(9));
    put('testnet-2024-12-31T00_00_00Z/block/0000/0000/0000/0000/002.blk', new Uint8Array(9));
    expect(await run()).toMatchObject({ units: 1, refused: [] });
    // A number that the ledger has, at a time that it has not.
    const later = (ledger.units[0]?.header.consensusEnd ?? 0n) + 1n;
    put(
      'testnet-202701010000/block/0000/0000/0000/0000/000.blk',
      native(0n, later, { root: null, tree: null }),
    );
    const found = await run();
    expect(found).toMatchObject({
      units: 0,
      refused: [{ code: 'fork', message: expect.stringContaining('if the network was reset') }],
    });
    expect(ledger.state()).toMatchObject({ state: 'fork' });
    expect(stored()).toEqual(WRAPPED.slice(0, 1));
  });

  test.each([0n, -3n, 3n])(
    'of another ledger with the numbers of this one are a fork, also with times that differ by %d',
    async (later) => {
      const name = (number: number) => `blocks/${blockFileName(BigInt(number))}`;
      const first = native(0n, 1_000n, { root: null, tree: null });
      put(name(0), first);
      await run();
      const end = (await ledger.repository.chainEnd()) ?? expect.fail('no end');
      const second = native(1n, 2_000n, end);
      put(name(1), second);
      expect(await run()).toMatchObject({ units: 1, refused: [] });
      expect(await run()).toMatchObject({ units: 0, refused: [] });
      const before = ledger.dump();
      put(name(1), native(1n, 2_000n + later, end, 1));
      expect(await run()).toMatchObject({ units: 0, refused: [{ code: 'fork' }] });
      expect(ledger.state()).toMatchObject({ state: 'fork' });
      expect(ledger.dump()).toBe(before);
      put(name(1), second);
      expect(await run()).toMatchObject({ units: 0, refused: [] });
      expect(ledger.state()).toMatchObject({ state: 'finished' });
    },
  );

  test('of before the first one of a ledger are no fork', async () => {
    put(`blocks/${blockFileName(5n)}`, native(5n, 2_000n, { root: null, tree: null }));
    expect(await run()).toMatchObject({ units: 1, refused: [] });
    tree.files.clear();
    put(`blocks/${blockFileName(4n)}`, native(4n, 1_000n, { root: null, tree: null }));
    expect(await run()).toMatchObject({ units: 0, refused: [] });
    expect(ledger.state()).toMatchObject({ state: 'finished' });
  });

  test('go on where record files end, each number once, and native blocks after them', async () => {
    for (const number of [0, 1]) put(`record0.0.3/${record(number).name}`, record(number).bytes);
    for (const number of [1, 2]) put(`blocks/${number}.blk`, wrapped(number));
    expect(await run()).toMatchObject({ units: 3, transactions: 982, refused: [] });
    expect(stored()).toEqual([
      ['record', false, 0n],
      ['block', false, 1n],
      ['block', false, 2n],
    ]);
    const alone = memoryLedger();
    for (const [path] of tree.files) if (path.includes('record0.0.3')) tree.files.delete(path);
    for (const number of NUMBERS) put(`record0.0.3/${record(number).name}`, record(number).bytes);
    const records = memoryFileTree(new Map([...tree.files].filter(([path]) => path.endsWith('.rcd'))));
    await alone.import(createDirectorySource('/streams', records), CHAIN);
    expect(ledger.units.map(({ header }) => [header.hash, header.previousHash])).toEqual(
      alone.units.map(({ header }) => [header.hash, header.previousHash]),
    );
    expect(ledger.units.map(({ transactions }) => transactions)).toEqual(
      alone.units.map(({ transactions }) => transactions),
    );

    const end = (await ledger.repository.chainEnd()) ?? expect.fail('no end');
    expect(end.root).toEqual(blockRoots(parseBlock(wrapped(2), 'wrapped'))[16]);
    put('blocks/3.blk', native(3n, endOf(ledger) + 5n, end));
    const late = record(0);
    put(`record0.0.3/${streamInstant(consensusTimestamp(endOf(ledger) + 9n))}.rcd`, late.bytes);
    expect(await run()).toMatchObject({ units: 1, refused: [] });
    expect(stored().at(-1)).toEqual(['block', true, 3n]);
    expect(ledger.units.at(-1)?.header.previousHash).toEqual(end.hash);
    expect(ledger.state()?.standing?.notes).toEqual([
      expect.stringContaining('1 record files in /streams are skipped'),
    ]);
    const told: string[] = [];
    expect(await run(CHAIN, (message) => told.push(message))).toMatchObject({ units: 0, refused: [] });
    expect(told).toEqual(ledger.state()?.standing?.notes);
    expect(told).toHaveLength(1);
  });

  test('link the first native block to record files by a wrapped copy of the last one', async () => {
    for (const number of NUMBERS) put(`record0.0.3/${record(number).name}`, record(number).bytes);
    await run();
    expect(stored()).toEqual(NUMBERS.map((number) => ['record', false, BigInt(number)]));
    const root = blockRoots(parseBlock(wrapped(2), 'wrapped'))[16];
    put('blocks/2.blk', wrapped(2));
    put('blocks/3.blk', native(3n, endOf(ledger) + 5n, { root, tree: null }));
    expect(await run()).toMatchObject({ units: 1, refused: [] });
    expect(ledger.state()?.notes).toEqual([]);
  });

  test('fall back to the record file where the block does not hold', async () => {
    for (const number of NUMBERS) put(`record0.0.3/${record(number).name}`, record(number).bytes);
    put('0.blk', wrapped(0));
    const damaged = Uint8Array.from(wrapped(1));
    damaged[40_000] = (damaged[40_000] ?? 0) ^ 1;
    put('1.blk', damaged);
    put('2.blk', wrapped(2).subarray(0, 5000));
    expect(await run()).toMatchObject({ units: 3, refused: [] });
    expect(stored()).toEqual([
      ['block', false, 0n],
      ['record', false, 1n],
      ['record', false, 2n],
    ]);
    expect(ledger.state()?.rejections.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['running_hash_mismatch', 'malformed']),
    );
  });

  test('of several nodes are one block; another one of the same number that holds too is a fork', async () => {
    put('block-0.0.3/0.blk', wrapped(0));
    put('block-0.0.4/0.blk.gz', gzipSync(wrapped(0)));
    put('block-0.0.5/0.blk', wrapped(0).subarray(0, 9000));
    expect(await run()).toMatchObject({ units: 1, refused: [] });
    const end = (await ledger.repository.chainEnd()) ?? expect.fail('no end');
    const at = endOf(ledger) + 5n;
    put('block-0.0.3/1.blk', native(1n, at, end));
    put('block-0.0.4/1.blk', native(1n, at, end, 7));
    expect(await run()).toMatchObject({ units: 0, refused: [{ code: 'fork' }] });
    expect(ledger.state()).toMatchObject({ state: 'fork', gap: { name: '1.blk' } });
    put('block-0.0.4/1.blk', native(1n, at, end));
    expect(await run()).toMatchObject({ units: 1, refused: [] });
  });

  test.each([
    ['missing', [0, 2], 'nonconsecutive_block'],
    ['named wrongly', [0, 2, 1], 'block_number_mismatch'],
  ])('stop an import where one is %s, and nothing of it is stored', async (_what, numbers, code) => {
    for (const [index, number] of numbers.entries())
      put(`${numbers.length === 3 ? index : number}.blk`, wrapped(number));
    expect(await run()).toMatchObject({ units: 1, refused: [{ code }] });
    expect(stored()).toEqual(WRAPPED.slice(0, 1));
  });

  test('begin where the operator says, without reading all of them', async () => {
    for (const number of NUMBERS) put(`${number}.blk`, wrapped(number));
    const start = parseBlock(wrapped(1), 'wrapped').header.timestamp;
    expect(await run({ ...CHAIN, start })).toMatchObject({ units: 2, refused: [] });
    expect(stored()).toEqual(WRAPPED.slice(1));
  });

  test('one alone is imported under any name', async () => {
    put('v2-block.blk.gz', gzipSync(wrapped(0)));
    const alone = createDirectorySource('/streams/v2-block.blk.gz', tree);
    expect(await ledger.import(alone, CHAIN)).toMatchObject({ units: 1, refused: [] });
    expect(await ledger.import(alone, CHAIN)).toMatchObject({ units: 0, skipped: 1, refused: [] });
  });

  test('that may still grow are waited for in a watched folder, and nothing after them is taken', async () => {
    const watched = createWatchedFolder('/streams', tree);
    const { repository } = ledger;
    const importer = createImporter({ repository, source: watched, options: CHAIN, isWatched: true });
    const look = () => importer.run();
    for (const number of NUMBERS) put(`block-0.0.3/${number}.blk`, wrapped(number));
    expect(await look()).toMatchObject({ units: 0 });
    put('block-0.0.3/1.blk', wrapped(1).subarray(0, 100));
    expect(await look()).toMatchObject({ units: 1 });
    put('block-0.0.3/1.blk', wrapped(1));
    expect(await look()).toMatchObject({ units: 0 });
    expect(await look()).toMatchObject({ units: 2, refused: [] });
    expect(stored()).toEqual(WRAPPED);
  });

  test('are not listed again by a watched folder when their numbers lie before the end', async () => {
    const place = (number: number) => `solo-202608102105/block/0000/0000/0000/0000/00${number}.blk`;
    for (const number of NUMBERS) put(place(number), wrapped(number));
    put('solo-202608102105/block/0000/0000/0000/0001/000.blk', wrapped(0));
    await run();
    const looked: string[] = [];
    const spied: MemoryFileTree = {
      ...tree,
      async list(folder) {
        looked.push(folder);
        return tree.list(folder);
      },
    };
    const far = {
      time: (ledger.units.at(-1)?.header.consensusEnd ?? 0n) as never,
      blockNumber: 1500n,
      isNative: true,
    };
    await createWatchedFolder('/streams', spied).list(far);
    expect(looked.at(-1)).toBe('/streams/solo-202608102105/block/0000/0000/0000/0001');
    expect(looked).not.toContain('/streams/solo-202608102105/block/0000/0000/0000/0000');
  });
});

/** @see contracts/streams.md section 11: stored is what the ledger has by number and hash, whatever its time */
test('wrapped blocks whose times step back are stored beside their record files, and found stored again', async () => {
  const options = { files: 40, transactionsPerFile: 4, nodes: 1, keyBits: 1024 };
  const { blocks, book } = writeBlocks({ ...options, stepsBack: true, beginsAnywhereFrom: 1 });
  const files = new Map<string, Uint8Array>([['/streams/address_book.bin', book]]);
  const [both, byAndBy] = [memoryLedger(), memoryLedger()];
  const source = createDirectorySource('/streams', memoryFileTree(files));
  let [latest, backwards] = [0n, 0];
  for (const { bytes, number, unit } of blocks) {
    if (unit.first < latest) backwards++;
    latest = unit.first;
    files.set(`/streams/${blockFileName(number)}`, bytes);
    files.set(`/streams/record0.0.3/${streamInstant(unit.first)}.rcd`, unit.file.bytes);
    expect(await byAndBy.import(source)).toMatchObject({ units: 1, refused: [] });
  }
  expect(backwards).toBeGreaterThan(0);
  expect(await both.import(source)).toMatchObject({ units: options.files, refused: [] });
  expect(byAndBy.dump()).toBe(both.dump());
  expect(await both.import(source)).toMatchObject({ units: 0, refused: [] });
});
