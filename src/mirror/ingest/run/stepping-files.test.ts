import { describe, expect, test } from 'vitest';
import {
  type MemoryFileTree,
  memoryFileTree,
  writtenStream,
} from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { type MemoryLedger, memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { writeRecordFile } from '../../../../tools/network/record-file-writer.ts';
import { writtenLedger } from '../../../../tools/network/written-ledger.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { ZERO_HASH } from '../sha384.ts';
import { createDirectorySource, createWatchedFolder } from '../source/directory-source.ts';
import { streamInstant } from '../units/stream-file-name.ts';
import type { StreamSource } from '../units/stream-source.ts';
import { findOpenGap } from './find-open-gap.ts';
import { createImporter } from './importer.ts';

const FILES = 40;
const OPTIONS = { files: FILES, transactionsPerFile: 4, nodes: 1, keyBits: 1024 };
const STEPPING = { ...OPTIONS, stepsBack: true, beginsAnywhereFrom: 1 };

interface Written {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Files in the order of the network; their names step back. */
function steppingFiles(seed = 'stepping'): readonly Written[] {
  return [...writtenLedger({ ...STEPPING, seed }).units].map(({ file, first }) => ({
    name: `/streams/record0.0.3/${streamInstant(first)}.rcd`,
    bytes: file.bytes,
  }));
}

function treeOf(files: readonly Written[]): MemoryFileTree {
  return memoryFileTree(new Map(files.map(({ bytes, name }) => [name, bytes])));
}

const folder = (tree: MemoryFileTree): StreamSource => createDirectorySource('/streams', tree);
const importChain = (ledger: MemoryLedger, source: StreamSource) =>
  ledger.import(source, { verify: 'chain' });
const numbersOf = ({ units }: MemoryLedger) => units.map(({ header }) => Number(header.blockNumber));
const NUMBERS = Array.from({ length: FILES }, (_, number) => number);

const timeAt = (second: number) => consensusTimestamp((1_700_000_000n + BigInt(second)) * 1_000_000_000n);
const nameAt = (second: number) => `/streams/${streamInstant(timeAt(second))}.rcd`;
function itemAt(second: number, payer = 800n) {
  const consensus = timeAt(second);
  const data = { cryptoTransfer: {} };
  const event = { consensus, validStart: consensus, payer, data, status: 22, fee: 0n, node: null };
  return ledgerItem(event, { shard: 0n, realm: 0n });
}

/** Files of one transaction each, chained in this order. */
function filesAt(seconds: readonly number[], payer = 800n): readonly Written[] {
  let hash: Uint8Array = ZERO_HASH;
  return seconds.map((second, index) => {
    const file = writeRecordFile([itemAt(second, payer)], hash, BigInt(index), [0, 65, 0]);
    hash = file.endHash;
    return { name: nameAt(second), bytes: file.bytes };
  });
}

test.each([
  [12, []],
  [10, []],
  [11, ['wrong_file_name']],
  [13, ['wrong_file_name']],
])(
  'a file whose times step back is named by its first or its least one: by second %i',
  async (named, codes) => {
    const { bytes } = writeRecordFile(
      [12, 13, 10, 11].map((second) => itemAt(second)),
      ZERO_HASH,
      0n,
      [0, 65, 0],
    );
    const report = await importChain(memoryLedger(), folder(treeOf([{ name: nameAt(named), bytes }])));
    expect(report.refused.map(({ code }) => code)).toEqual(codes);
  },
);

/** @see contracts/streams.md section 11: order is block number and place, times are data */
describe('record files whose names step back', () => {
  test('are stored in the order of the chain, at once as one by one, and found stored again', async () => {
    const written = steppingFiles();
    const names = written.map(({ name }) => name);
    expect(names).not.toEqual([...names].sort());
    const whole = memoryLedger();
    expect(await importChain(whole, folder(treeOf(written)))).toMatchObject({
      units: FILES,
      refused: [],
      leftBehind: null,
    });
    expect(numbersOf(whole)).toEqual(NUMBERS);
    let steps = 0;
    for (const { header, transactions } of whole.units) {
      const times = transactions.map(({ consensusTimestamp: at }) => at);
      const sorted = times.toSorted((one, other) => (one < other ? -1 : 1));
      expect([header.consensusStart, header.consensusEnd]).toEqual([sorted[0], sorted.at(-1)]);
      if (times[0] !== sorted[0]) steps++;
    }
    expect(steps).toBeGreaterThan(0);
    const byAndBy = memoryLedger();
    for (const [index] of written.entries()) {
      const tree = treeOf(written.slice(0, index + 1));
      expect(await importChain(byAndBy, folder(tree))).toMatchObject({ units: 1, refused: [] });
    }
    expect(byAndBy.dump()).toBe(whole.dump());
    expect(await importChain(whole, folder(treeOf(written)))).toMatchObject({
      units: 0,
      skipped: FILES,
      refused: [],
      leftBehind: null,
    });
    expect(whole.state()?.rejections).toEqual([]);
  });

  test.each([
    ['a young ledger', 2],
    ['an old one', 60],
  ])('are stored when one steps back by minutes behind %s, at once as one by one', async (_, count) => {
    const before = Array.from({ length: count }, (_, index) => 1000 + 2 * index);
    const written = filesAt([...before, 1000 + 2 * count - 135, 1000 + 2 * count]);
    const whole = memoryLedger();
    expect(await importChain(whole, folder(treeOf(written)))).toMatchObject({
      units: count + 2,
      refused: [],
    });
    const later = memoryLedger();
    await importChain(later, folder(treeOf(written.slice(0, count))));
    for (const end of [count + 1, count + 2]) {
      const report = await importChain(later, folder(treeOf(written.slice(0, end))));
      expect(report).toMatchObject({ units: 1, refused: [], leftBehind: null });
    }
    expect(later.dump()).toBe(whole.dump());
  });

  test('with their signatures too, of several nodes', async () => {
    const { tree, written } = await writtenStream({ ...STEPPING, nodes: 3 });
    const ledger = memoryLedger();
    expect(await ledger.import(createDirectorySource('/stream', tree))).toMatchObject({
      units: FILES,
      transactions: written.transactions,
      refused: [],
      verification: 'signatures',
    });
    expect(numbersOf(ledger)).toEqual(NUMBERS);
    expect(ledger.state()?.rejections).toEqual([]);
  });

  test('are taken by a watched folder as they come', async () => {
    const written = steppingFiles('watched');
    const tree = memoryFileTree();
    const ledger = memoryLedger();
    const importer = createImporter({
      repository: ledger.repository,
      source: createWatchedFolder('/streams', tree),
      isWatched: true,
      options: { verify: 'chain' },
    });
    for (const { bytes, name } of written) {
      tree.files.set(name, bytes);
      // Its size has to be that of the last time.
      await importer.run();
      expect(await importer.run()).toMatchObject({ refused: [] });
    }
    expect(numbersOf(ledger)).toEqual(NUMBERS);
  });

  test('begin with the first one of the chain', async () => {
    const ledger = memoryLedger();
    expect(await importChain(ledger, folder(treeOf(filesAt([30, 20, 10, 40]))))).toMatchObject({ units: 4 });
    expect(numbersOf(ledger)).toEqual([0, 1, 2, 3]);
  });

  test.each([3, 17, FILES - 2])('stop at a true gap before file %i, which is told', async (missing) => {
    const written = steppingFiles();
    const tree = treeOf(written.filter((_, index) => index !== missing));
    const ledger = memoryLedger();
    const report = await importChain(ledger, folder(tree));
    expect(numbersOf(ledger)).toEqual(NUMBERS.slice(0, missing));
    expect(report).toMatchObject({ refused: [{ code: 'chain_mismatch' }] });
    expect(ledger.state()).toMatchObject({ state: 'gap', gap: { name: report.refused[0]?.name } });
    const gaps = { accepts: async () => false };
    expect(await findOpenGap(folder(tree), ledger.repository, gaps)).not.toBeNull();
    expect(await importChain(ledger, folder(treeOf(written)))).toMatchObject({ refused: [] });
    expect(numbersOf(ledger)).toEqual(NUMBERS);
    expect(await findOpenGap(folder(treeOf(written)), ledger.repository, gaps)).toBeNull();
  });

  test('show no gap where the one that follows is named after others', async () => {
    const ledger = memoryLedger();
    const [first, ...others] = filesAt([10, 40, 30, 20]);
    await importChain(ledger, folder(treeOf(first === undefined ? [] : [first])));
    const gaps = { accepts: async () => false };
    expect(await findOpenGap(folder(treeOf(others)), ledger.repository, gaps)).toBeNull();
  });
});

describe('record files of another network', () => {
  test.each([
    ['of the same names', [10, 20, 30]],
    ['named between those of the ledger', [11, 21, 29]],
    ['that go on after them', [11, 21, 29, 50]],
    ['that began after them', [50, 60]],
    ['with names long before', [-900, -800]],
  ])('%s are a fork and not called stored', async (_what, seconds) => {
    const ledger = memoryLedger();
    await importChain(ledger, folder(treeOf(filesAt([10, 20, 30]))));
    const before = ledger.dump();
    const report = await importChain(ledger, folder(treeOf(filesAt(seconds, 801n))));
    expect(report).toMatchObject({ units: 0, refused: [{ code: 'fork' }] });
    expect(ledger.state()).toMatchObject({ state: 'fork', gap: { name: report.refused[0]?.name } });
    expect(ledger.dump()).toBe(before);
  });
});
