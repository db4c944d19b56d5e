import { describe, expect, test } from 'vitest';
import { type MemoryLedger, memoryLedger } from '../../../../../test/kit/mirror/ingest/memory-ledger.ts';
import {
  type MemoryObjectStore,
  memoryObjectStore,
} from '../../../../../test/kit/mirror/ingest/memory-object-store.ts';
import { makeNodeSigners } from '../../../../../tools/network/node-signer.ts';
import { seededRandom } from '../../../../../tools/network/seeded-random.ts';
import { writeStream } from '../../../../../tools/network/write-stream.ts';
import { ManualClock } from '../../../../values/clock.ts';
import type { ImportReport } from '../../report/import-report.ts';
import type { StreamSource } from '../../units/stream-source.ts';
import { createRecordBucket } from './record-bucket.ts';

const SIGNERS = makeNodeSigners(31, seededRandom('live nodes'), 1024);
const FILES = 12;
const BEFORE = 4;

interface Followed {
  /** What readers see. */
  readonly store: MemoryObjectStore;
  readonly ledger: MemoryLedger;
  readonly source: StreamSource;
  readonly clock: ManualClock;
  /** Files of one instant, by their keys. */
  readonly files: readonly ReadonlyMap<string, Uint8Array>[];
  publish(at: number, isPublished?: (key: string) => boolean): void;
}

/** A stream that is published file by file, followed from some file on. */
async function followed(nodes: number, before = BEFORE): Promise<Followed> {
  const all = new Map<string, Uint8Array>();
  await writeStream(
    async (path, bytes) => {
      all.set(path, bytes);
    },
    { files: FILES, transactionsPerFile: 1, signers: SIGNERS.slice(0, nodes) },
  );
  const names = [...new Set([...all.keys()].flatMap((key) => /[^/]+Z/.exec(key) ?? []))].sort();
  const files = names.map((name) => new Map([...all].filter(([key]) => key.includes(name))));
  const store = memoryObjectStore(new Map([...all].filter(([key]) => !key.startsWith('recordstreams/'))));
  const publish: Followed['publish'] = (at, isPublished = () => true) => {
    for (const [key, bytes] of files[at] ?? []) if (isPublished(key)) store.objects.set(key, bytes);
  };
  for (let at = 0; at < before; at++) publish(at);
  const order = seededRandom('order of nodes');
  const clock = new ManualClock(0);
  const ledger = memoryLedger();
  const source = createRecordBucket({
    name: 's3://streams',
    bucket: 's3://streams',
    store,
    top: '',
    nodesAt: async (time) => (await ledger.repository.nodeKeysAt(time))?.nodes ?? null,
    wantsSignatures: true,
    consensusRatio: [1n, 3n],
    clock,
    random: () => order.below(1_000_000) / 1_000_000,
  });
  expect(await look(ledger, source)).toMatchObject({ units: before, refused: [] });
  // The first look with a book.
  expect(await look(ledger, source)).toBeNull();
  forget(store);
  return { store, ledger, source, clock, files, publish };
}

/** Null where there was nothing new. */
async function look(ledger: MemoryLedger, source: StreamSource): Promise<ImportReport | null> {
  try {
    return await ledger.import(source);
  } catch (error) {
    if ((error as { code?: string }).code === 'nothing_to_import') return null;
    throw error;
  }
}

function forget(store: MemoryObjectStore): void {
  store.listed.length = 0;
  store.got.length = 0;
}

const ofNode = (num: number) => (key: string) => key.includes(`record0.0.${num}/`);
const countOf = ({ got }: MemoryObjectStore, pattern: RegExp) =>
  got.filter((key) => pattern.test(key)).length;
/** The node that was listed last. */
const listedNode = ({ listed }: MemoryObjectStore) =>
  Number(/0\.0\.(\d+)/.exec(listed.at(-1)?.prefix ?? '')?.[1]);

describe('following a bucket live', () => {
  test.each([
    [4, 2],
    [31, 11],
  ])('lists one of %d nodes for a look and fetches %d signatures for a file', async (nodes, enough) => {
    const { ledger, publish, source, store } = await followed(nodes);
    for (let at = BEFORE; at < FILES; at++) {
      publish(at);
      expect(await look(ledger, source)).toMatchObject({ units: 1, refused: [] });
      // A look in between finds nothing.
      expect(await look(ledger, source)).toBeNull();
    }
    const files = FILES - BEFORE;
    expect(store.listed).toHaveLength(2 * files);
    expect(countOf(store, /_sig$/)).toBe(enough * files);
    expect(countOf(store, /gz$/)).toBe(files);
  });

  test('asks again for signatures that are not there yet, a few for a look, and keeps those that were', async () => {
    const { ledger, publish, source, store } = await followed(31);
    await look(ledger, source);
    const first = listedNode(store);
    forget(store);
    publish(BEFORE, ofNode(first));
    const early = await look(ledger, source);
    expect(early?.refused).toMatchObject([{ code: 'consensus_not_reached' }]);
    expect(countOf(store, /_sig$/)).toBe(4);
    expect(countOf(store, /gz$/)).toBe(0);
    publish(BEFORE);
    forget(store);
    expect(await look(ledger, source)).toMatchObject({ units: 1, refused: [] });
    expect(store.listed).toHaveLength(1);
    expect(countOf(store, /_sig$/)).toBeLessThanOrEqual(11);
    expect(ledger.state()?.rejections.filter(({ node }) => node !== '')).toEqual([]);
  });

  test('continues at another node when the one that is listed writes nothing any more', async () => {
    const { ledger, publish, source, store } = await followed(31);
    publish(BEFORE);
    await look(ledger, source);
    const silent = listedNode(store);
    for (let at = BEFORE + 1; at < FILES; at++) publish(at, (key) => !ofNode(silent)(key));
    for (let round = 0; round < 6; round++) await look(ledger, source);
    expect(ledger.units).toHaveLength(FILES);
    // One node for each look.
    expect(store.listed.length).toBeLessThanOrEqual(8);
  });

  test('fills a hole of the listed node from another', async () => {
    const { ledger, publish, source, store } = await followed(4);
    publish(BEFORE);
    await look(ledger, source);
    const holed = listedNode(store);
    publish(BEFORE + 1, (key) => !ofNode(holed)(key));
    publish(BEFORE + 2);
    for (let round = 0; round < 4; round++) await look(ledger, source);
    expect(ledger.units).toHaveLength(BEFORE + 3);
  });

  test('reads the copy of another node where that of the listed one is damaged', async () => {
    const { ledger, publish, source, store } = await followed(4);
    publish(BEFORE);
    await look(ledger, source);
    const damaged = listedNode(store);
    publish(BEFORE + 1);
    for (const key of store.objects.keys()) {
      if (ofNode(damaged)(key) && key.includes('22_13_30') && key.endsWith('gz')) {
        store.objects.set(key, Uint8Array.of(1, 2, 3));
      }
    }
    expect(await look(ledger, source)).toMatchObject({ units: 1, refused: [] });
    expect(countOf(store, /22_13_30.*gz$/)).toBe(2);
  });

  test('is the same ledger as catching up', async () => {
    const { ledger, publish, source, store } = await followed(4);
    for (let at = BEFORE; at < FILES; at++) {
      publish(at, (key) => !ofNode(3 + (at % 4))(key));
      for (let round = 0; round < 6 && ledger.units.length <= at; round++) await look(ledger, source);
    }
    const caughtUp = memoryLedger();
    await caughtUp.import((await followed(4, FILES)).source);
    expect(ledger.units).toHaveLength(FILES);
    expect(caughtUp.dump()).toBe(ledger.dump());
    expect(store.listed.length).toBeLessThan(6 * FILES);
  });
});
