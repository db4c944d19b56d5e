import { describe, expect, test } from 'vitest';
import { listed } from '../../../../../test/kit/mirror/ingest/listed-units.ts';
import { memoryLedger } from '../../../../../test/kit/mirror/ingest/memory-ledger.ts';
import {
  type MemoryObjectStore,
  memoryObjectStore,
} from '../../../../../test/kit/mirror/ingest/memory-object-store.ts';
import { makeNodeSigners } from '../../../../../tools/network/node-signer.ts';
import { seededRandom } from '../../../../../tools/network/seeded-random.ts';
import { writeStream } from '../../../../../tools/network/write-stream.ts';
import { ManualClock } from '../../../../values/clock.ts';
import { consensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import type { NodeKeys } from '../../../ledger/ledger-repository.ts';
import { IngestError } from '../../errors.ts';
import { readVotes } from '../../record-unit/verify-copy.ts';
import type { UnitDemands } from '../../units/stream-unit.ts';
import { createRecordBucket } from './record-bucket.ts';

const FILES = 30;
const DEMANDS: Omit<UnitDemands, 'keys'> = {
  mode: 'signatures',
  consensusRatio: [1n, 3n],
  previous: null,
};
const MANY = makeNodeSigners(31, seededRandom('many nodes'), 1024);

async function bucketOf(nodes: number): Promise<MemoryObjectStore> {
  const store = memoryObjectStore();
  await writeStream(
    async (path, bytes) => {
      store.objects.set(path, bytes);
    },
    { files: FILES, transactionsPerFile: 1, signers: MANY.slice(0, nodes) },
  );
  return store;
}

function sourceOf(
  store: MemoryObjectStore,
  get: MemoryObjectStore['get'] = store.get,
  keys: NodeKeys | null = null,
) {
  const order = seededRandom('order of nodes');
  return createRecordBucket({
    name: 's3://streams',
    bucket: 's3://streams',
    store: { ...store, get },
    top: '',
    nodesAt: async () => keys?.nodes ?? null,
    wantsSignatures: true,
    consensusRatio: [1n, 3n],
    clock: new ManualClock(0),
    random: () => order.below(1_000_000) / 1_000_000,
  });
}

const signaturesOf = ({ got }: MemoryObjectStore) => got.filter((key) => key.endsWith('_sig'));
const recordsOf = ({ got }: MemoryObjectStore) => got.filter((key) => key.endsWith('.rcd.gz'));

describe('signatures in a bucket', () => {
  test.each([
    [4, 2],
    [31, 11],
  ])('of %d nodes are read until a third agrees: %d for a unit', async (nodes, enough) => {
    const store = await bucketOf(nodes);
    expect(await memoryLedger().import(sourceOf(store))).toMatchObject({ units: FILES, refused: [] });
    expect(signaturesOf(store)).toHaveLength(FILES * enough);
    expect(recordsOf(store)).toHaveLength(FILES);
    // Every node is asked now and then.
    expect(new Set(signaturesOf(store).map((key) => key.split('/')[1])).size).toBe(nodes);
  });

  test('are as many as reach the stake that is required, and not one more', async () => {
    const store = await bucketOf(31);
    const book = memoryLedger();
    await book.import(sourceOf(store));
    const { nodes } = (await book.repository.nodeKeysAt(consensusTimestamp(1n << 62n))) ?? { nodes: [] };
    // All others together are not enough without this one.
    const keys = { nodes: nodes.map((node, at) => ({ ...node, stake: at === 5 ? 61n : 1n })) };
    store.got.length = 0;
    for (const { files } of await listed(sourceOf(store, store.get, keys))) {
      await readVotes(files, { ...DEMANDS, keys });
    }
    const lastOfUnit = new Map(signaturesOf(store).map((key) => [key.split('/')[2], key.split('/')[1]]));
    expect(lastOfUnit.size).toBe(FILES);
    expect(new Set(lastOfUnit.values())).toEqual(new Set(['record0.0.8']));
  });

  test.each<[string, (bytes: Uint8Array | null) => Promise<Uint8Array | null>]>([
    ['are gone', async () => null],
    ['are damaged', async () => Uint8Array.of(1, 2, 3)],
    ['cannot be read', () => Promise.reject(new IngestError('source_unreachable', 'cut'))],
  ])('that %s are made up for by those of further nodes', async (_what, damaged) => {
    const store = await bucketOf(31);
    // Of 11 nodes that hold: exactly what is required.
    const isBad = (key: string) => /record0\.0\.(1[4-9]|2\d|3[0-3])\/.*_sig$/.test(key);
    const get: MemoryObjectStore['get'] = async (key, size) => {
      const bytes = await store.get(key, size);
      return isBad(key) ? damaged(bytes) : bytes;
    };
    const ledger = memoryLedger();
    expect(await ledger.import(sourceOf(store, get))).toMatchObject({ units: FILES, refused: [] });
    // None is asked for twice.
    expect(new Set(signaturesOf(store)).size).toBe(signaturesOf(store).length);
  });

  test('are all tried before too few of them agree', async () => {
    const store = await bucketOf(31);
    const get: MemoryObjectStore['get'] = async (key, size) => {
      const bytes = await store.get(key, size);
      return /record0\.0\.(1[3-9]|2\d|3[0-3])\/.*_sig$/.test(key) ? Uint8Array.of(1) : bytes;
    };
    const report = await memoryLedger().import(sourceOf(store, get));
    expect(report).toMatchObject({ units: 0, refused: [{ code: 'consensus_not_reached' }] });
    expect(report.refused[0]?.message).toContain('10/31');
    const [{ name = '' } = {}] = report.refused;
    const ofFirst = new Set(signaturesOf(store).filter((key) => key.includes(name.split('.rcd')[0] ?? '')));
    expect(ofFirst.size).toBe(31);
  });
});
