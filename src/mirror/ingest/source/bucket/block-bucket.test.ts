import { describe, expect, test } from 'vitest';
import {
  asStreamUnit,
  type MadeUpUnit,
  madeUpUnits,
} from '../../../../../test/kit/mirror/ingest/made-up-units.ts';
import { memoryLedger } from '../../../../../test/kit/mirror/ingest/memory-ledger.ts';
import {
  type MemoryObjectStore,
  memoryObjectStore,
} from '../../../../../test/kit/mirror/ingest/memory-object-store.ts';
import { ManualClock } from '../../../../values/clock.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import type { BlockSource } from '../../block/block-source.ts';
import { IngestError } from '../../errors.ts';
import type { SourcePosition } from '../../units/stream-source.ts';
import type { StreamUnit } from '../../units/stream-unit.ts';
import { type BlockBucketParts, blockKey, createBlockBucket } from './block-bucket.ts';

const UNITS = madeUpUnits(60);
const BASE = 'testnet-202602010000/block/';

/** Blocks of made-up units, whose bytes are their numbers. */
function bucketOf(units: readonly MadeUpUnit[], base = BASE, extension = 'blk.zstd'): MemoryObjectStore {
  const store = memoryObjectStore();
  for (const { number } of units) put(store, number, base, extension);
  return store;
}
function put(store: MemoryObjectStore, number: bigint, base = BASE, extension = 'blk.zstd'): void {
  store.objects.set(blockKey(base, number, extension), Buffer.from(String(number)));
}

function sourceOf(store: MemoryObjectStore, parts: Partial<BlockBucketParts> = {}) {
  const blocks: BlockSource[] = [];
  const source = createBlockBucket({
    name: 's3://blocks',
    bucket: 's3://blocks',
    store,
    top: '',
    clock: new ManualClock(0),
    makeUnit(block) {
      blocks.push(block);
      const unit = UNITS[Number(Buffer.from(block.bytes).toString())];
      if (unit === undefined) throw new Error('no such unit');
      return asStreamUnit(unit);
    },
    ...parts,
  });
  return { blocks, source };
}

const endingWith = (number: bigint | null, time = UNITS[Number(number)]?.instant): SourcePosition => ({
  time: time ?? consensusTimestamp(0n),
  blockNumber: number,
  isNative: true,
});

async function numbers(
  source: ReturnType<typeof sourceOf>['source'],
  after: SourcePosition | null,
): Promise<readonly string[]> {
  const names: string[] = [];
  const listing = await source.list(after);
  for await (const page of listing.pages) for (const { name } of page as StreamUnit[]) names.push(name);
  return names;
}
const named = (from: number, to: number) =>
  Array.from({ length: to - from }, (_none, at) => `${from + at}.madeup`);

describe('blocks in a bucket', () => {
  test('are taken from the first on, each by its key, several at a time', async () => {
    const store = bucketOf(UNITS);
    const { blocks, source } = sourceOf(store);
    const ledger = memoryLedger();
    expect(await ledger.import(source, { verify: 'chain' })).toMatchObject({ units: 60, refused: [] });
    expect(blocks[37]).toEqual({
      name: '0000000000000000037.blk.zstd',
      path: 's3://blocks/testnet-202602010000/block/0000/0000/0000/0000/037.blk.zstd',
      node: null,
      number: 37n,
      bytes: Buffer.from('37'),
    });
    expect(store.got.slice(0, 4)).toEqual(
      [0n, 1n, 2n, 3n].map((number) => blockKey(BASE, number, 'blk.zstd')),
    );
  });

  test('that are not there yet are asked for again by key, without a listing', async () => {
    const store = bucketOf(UNITS.slice(0, 10));
    const { source } = sourceOf(store);
    expect(await numbers(source, endingWith(8n))).toEqual(['9.madeup']);
    const listings = store.listed.length;
    store.got.length = 0;
    expect(await numbers(source, endingWith(9n))).toEqual([]);
    expect(store.got).toEqual([blockKey(BASE, 10n, 'blk.zstd')]);
    put(store, 10n);
    expect(await numbers(source, endingWith(9n))).toEqual(['10.madeup']);
    expect(store.listed).toHaveLength(listings);
  });

  test('behind a hole wait until it is filled', async () => {
    const store = bucketOf(UNITS.filter(({ number }) => number !== 5n));
    const { source } = sourceOf(store);
    expect(await numbers(source, null)).toEqual(named(0, 5));
    put(store, 5n);
    expect(await numbers(source, endingWith(4n))).toEqual(named(5, 60));
  });

  test('are taken from a time on', async () => {
    const store = bucketOf(UNITS.slice(10));
    for (const [at, first] of [
      [30, 31],
      [9, 10],
      [59, 60],
    ] as const) {
      const { source } = sourceOf(store);
      expect(await numbers(source, endingWith(null, UNITS[at]?.instant))).toEqual(named(first, 60));
    }
    const { source } = sourceOf(store);
    await numbers(source, endingWith(null, UNITS[59]?.instant));
    store.got.length = 0;
    await numbers(source, endingWith(null, UNITS[59]?.instant));
    expect(store.got).toEqual([blockKey(BASE, 60n, 'blk.zstd')]);
  });

  test.each([
    ['of the cloud plugin of block nodes', '', ''],
    ['of the cloud plugin with its usual prefix', 'blocks/', ''],
    ['of the network that has no resets', 'mainnet/block/', ''],
    ['below a prefix', 'copy/mainnet/block/', 'copy/'],
    ['below the folder of the network', 'mainnet/block/', 'mainnet/'],
  ])('%s are found', async (_which, base, top) => {
    for (const extension of ['blk.zstd', 'blk.gz', 'blk']) {
      const { source } = sourceOf(bucketOf(UNITS.slice(0, 3), base, extension), { top });
      expect(await numbers(source, null)).toEqual(named(0, 3));
    }
  });

  test('are those of the folder that began last', async () => {
    const store = bucketOf(UNITS.slice(0, 3), 'testnet-2026-02-01T00:00:00Z/block/');
    put(store, 50n, 'testnet-202601010000/block/');
    put(store, 51n, 'testnet/block/');
    store.objects.set('testnet-202603010000/other/1', Uint8Array.of(1));
    expect(await numbers(sourceOf(store).source, null)).toEqual(named(0, 3));
  });

  test('are told to be none as long as there are none, and found once they come', async () => {
    const store = memoryObjectStore();
    const clock = new ManualClock(0);
    const { source } = sourceOf(store, { clock });
    expect(await numbers(source, null)).toEqual([]);
    expect(source.standing?.().notes).toEqual(['s3://blocks: there are no blocks in it yet']);
    put(store, 0n);
    clock.advance(60_000);
    expect(await numbers(source, null)).toEqual(['0.madeup']);
    expect(source.standing?.()).toEqual({ node: null, newest: { blockNumber: 0n, time: null }, notes: [] });
  });

  test('that begin later than the ledger wants are told to do so', async () => {
    const { source } = sourceOf(bucketOf(UNITS.slice(20)), { clock: new ManualClock(0) });
    const clock = new ManualClock(0);
    const watched = sourceOf(bucketOf(UNITS.slice(20)), { clock }).source;
    expect(await numbers(source, null)).toEqual([]);
    await numbers(watched, endingWith(4n));
    clock.advance(60_000);
    expect(await numbers(watched, endingWith(4n))).toEqual([]);
    expect(watched.standing?.().notes[0]).toMatch(
      /begins with block 20, but this ledger needs 5: .*MIRROR_BLOCK_NODES/,
    );
  });

  test('that cannot be read end the listing with what is wrong', async () => {
    const store = bucketOf(UNITS);
    const broken: MemoryObjectStore = {
      ...store,
      get: async (key) => {
        if (key.endsWith('/020.blk.zstd')) throw new IngestError('source_unreachable', 'SlowDown');
        return store.get(key, null);
      },
    };
    const ledger = memoryLedger();
    await expect(ledger.import(sourceOf(broken).source, { verify: 'chain' })).rejects.toThrow('SlowDown');
    expect(ledger.units.length).toBeLessThan(20);
    const report = await ledger.import(sourceOf(store).source, { verify: 'chain' });
    expect(report).toMatchObject({ refused: [] });
    expect(ledger.units).toHaveLength(60);
  });
});

describe('a network that was reset', () => {
  const newest = 'testnet-202607010000/block/';

  test('is told as such, and nothing of it continues the ledger of the old one', async () => {
    const store = bucketOf(UNITS.slice(0, 41));
    const clock = new ManualClock(0);
    const { source } = sourceOf(store, { clock });
    expect(await numbers(source, endingWith(39n))).toEqual(['40.madeup']);
    // The new network has few blocks, all of them later.
    const later: ConsensusTimestamp = consensusTimestamp((UNITS[59]?.instant ?? 0n) + 1n);
    const after = endingWith(40n);
    for (const number of [0n, 1n, 2n]) {
      store.objects.set(blockKey(newest, number, 'blk.zstd'), Buffer.from('59'));
    }
    expect(await numbers(source, after)).toEqual([]);
    clock.advance(60_000);
    const told = expect.stringMatching(
      /The network was reset: .*testnet-202607010000\/ has block 2 .*needs a new database/,
    );
    await expect(numbers(source, after)).rejects.toMatchObject({ code: 'fork', message: told });
    await expect(numbers(source, after)).rejects.toMatchObject({ code: 'fork' });
    // A new database takes the new network.
    expect(await numbers(source, null)).toEqual(['59.madeup', '59.madeup', '59.madeup']);
    expect(after.time).toBeLessThan(later);
  });

  test('is told after a restart too', async () => {
    const store = memoryObjectStore();
    for (const number of [0n, 1n, 2n]) {
      store.objects.set(blockKey(newest, number, 'blk.zstd'), Buffer.from('59'));
    }
    const clock = new ManualClock(0);
    const { source } = sourceOf(store, { clock });
    await numbers(source, endingWith(40n));
    clock.advance(60_000);
    await expect(numbers(source, endingWith(40n))).rejects.toMatchObject({ code: 'fork' });
  });

  test('is not what a bucket shows that lags behind the ledger', async () => {
    const clock = new ManualClock(0);
    const { source } = sourceOf(bucketOf(UNITS.slice(0, 30)), { clock });
    await numbers(source, endingWith(40n));
    clock.advance(60_000);
    expect(await numbers(source, endingWith(40n))).toEqual([]);
  });
});
