import { describe, expect, test } from 'vitest';
import { listed } from '../../../../../test/kit/mirror/ingest/listed-units.ts';
import { memoryFileTree } from '../../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../../test/kit/mirror/ingest/memory-ledger.ts';
import {
  type MemoryObjectStore,
  memoryObjectStore,
} from '../../../../../test/kit/mirror/ingest/memory-object-store.ts';
import type { WrittenContract } from '../../../../../tools/network/contract-events.ts';
import { makeNodeSigners } from '../../../../../tools/network/node-signer.ts';
import { seededRandom } from '../../../../../tools/network/seeded-random.ts';
import type { StreamOptions } from '../../../../../tools/network/write-stream.ts';
import { writeStream } from '../../../../../tools/network/write-stream.ts';
import { ManualClock } from '../../../../values/clock.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import { entityId } from '../../../../values/entity-id.ts';
import { IngestError } from '../../errors.ts';
import { beginOf } from '../../run/wanted-units.ts';
import { createDirectorySource } from '../directory-source.ts';
import { createRecordBucket, type RecordBucketParts } from './record-bucket.ts';
import type { RecordNode } from './record-folders.ts';

const START = 1_700_000_000_000_000_000n;
const SECOND = 1_000_000_000n;
const SIGNERS = makeNodeSigners(4, seededRandom('bucket'), 1024);
const WRITTEN: StreamOptions = { signers: SIGNERS, transactionsPerFile: 2 };
const CONTRACT: WrittenContract = {
  by: 'body',
  creationCode: Uint8Array.of(1, 2),
  runtimeCode: Uint8Array.of(3),
};

/** A written stream in a bucket, its keys changed as the test wants. */
async function bucketOf(
  options: StreamOptions = {},
  keyOf: (path: string) => string = (path) => path,
): Promise<MemoryObjectStore> {
  const store = memoryObjectStore();
  await writeStream(
    async (path, bytes) => {
      store.objects.set(keyOf(path), bytes);
    },
    { ...WRITTEN, ...options },
  );
  return store;
}

function sourceOf(store: MemoryObjectStore, parts: Partial<RecordBucketParts> = {}) {
  return createRecordBucket({
    name: 's3://streams',
    bucket: 's3://streams',
    store,
    top: '',
    nodesAt: async () => null,
    wantsSignatures: true,
    consensusRatio: [1n, 3n],
    clock: new ManualClock(0),
    random: () => 0.5,
    ...parts,
  });
}

/** Nodes 0 to 3 with the accounts of written streams. */
const BOOK: readonly RecordNode[] = [0n, 1n, 2n, 3n].map((nodeId) => ({
  nodeId,
  nodeAccount: entityId(nodeId + 3n),
  stake: 0n,
}));

const namesOf = (units: readonly { readonly name: string }[]) => units.map(({ name }) => name);
const byNodeId = (path: string) =>
  path.replace(/^recordstreams\/record0\.0\.(\d+)/, (_all, num) => `mainnet/0/${Number(num) - 3}/record`);
const byDay = (path: string) => {
  const day = /(\d{4}-\d\d-\d\d)T/.exec(path)?.[1];
  return day === undefined ? path : `${day}/${path}`;
};

describe('record files in a bucket', () => {
  test('become the same ledger as those of a folder', async () => {
    const store = await bucketOf({ files: 60, contracts: [CONTRACT] });
    const tree = memoryFileTree(new Map([...store.objects].map(([key, bytes]) => [`/stream/${key}`, bytes])));
    const [fromFolder, fromBucket] = [memoryLedger(), memoryLedger()];
    await fromFolder.import(createDirectorySource('/stream', tree));
    const report = await fromBucket.import({ ...sourceOf(store), name: '/stream' });
    expect(report).toMatchObject({ units: 60, refused: [], verification: 'signatures' });
    expect(fromBucket.dump()).toBe(fromFolder.dump());
  });

  test('whose names step back are stored in the order of the chain, at once as one by one', async () => {
    const store = await bucketOf({ files: 30, stepsBack: true, beginsAnywhereFrom: 1 });
    const whole = memoryLedger();
    expect(await whole.import(sourceOf(store))).toMatchObject({ units: 30, refused: [] });
    const names = namesOf(whole.units.map(({ header }) => header));
    expect(names).not.toEqual([...names].sort());
    const byAndBy = memoryLedger();
    const written = memoryObjectStore();
    const source = sourceOf(written);
    for (const [index, name] of names.entries()) {
      for (const [key, bytes] of store.objects) {
        const isOfUnit = key.includes(name.replace(/\.rcd.*/, ''));
        if (isOfUnit || !key.includes('Z')) written.objects.set(key, bytes);
      }
      expect(await byAndBy.import(source), `${index}`).toMatchObject({ units: 1, refused: [] });
    }
    expect(byAndBy.dump()).toBe(whole.dump());
  });

  test('are listed once for each node and page, whatever the number of units', async () => {
    const store = await bucketOf({ files: 60 });
    expect(await listed(sourceOf(store))).toHaveLength(60);
    const perNode = store.listed.filter(({ maxKeys }) => maxKeys === 50).map(({ prefix }) => prefix);
    expect(perNode.filter((prefix) => prefix.endsWith('record0.0.3/'))).toHaveLength(3);
    expect(perNode).toHaveLength(12);
  });

  test('that the ledger has are not listed: a listing starts after the name of its end', async () => {
    const store = await bucketOf({ files: 30 });
    const after = consensusTimestamp(START + 40n * SECOND);
    expect(await listed(sourceOf(store), after)).toHaveLength(9);
    expect(store.listed.at(-1)).toEqual({
      prefix: 'recordstreams/record0.0.6/',
      after: 'recordstreams/record0.0.6/2023-11-14T22_14_00.000000000Z_',
      maxKeys: 50,
    });
  });

  test('are looked for at the nodes of the address book alone once one is known', async () => {
    const store = await bucketOf({ files: 2 });
    const asked: ConsensusTimestamp[] = [];
    const source = sourceOf(store, {
      async nodesAt(time) {
        asked.push(time);
        return BOOK.slice(0, 2);
      },
    });
    const after = consensusTimestamp(START - 1n);
    const units = await listed(source, after);
    expect(units[0]?.files.signatures).toHaveLength(2);
    expect(asked[0]).toBe(after);
    const perNode = store.listed.filter(({ maxKeys }) => maxKeys === 50);
    expect(perNode.map(({ prefix }) => prefix)).toEqual([
      'recordstreams/record0.0.3/',
      'recordstreams/record0.0.4/',
    ]);
  });

  test('of a node that joins are listed from where the walk is', async () => {
    const store = await bucketOf({ files: 60 });
    const joined = START + 30n * SECOND;
    const nodesAt = async (time: ConsensusTimestamp) => BOOK.slice(0, time < joined ? 3 : 4);
    const units = await listed(sourceOf(store, { nodesAt }));
    expect(units).toHaveLength(60);
    expect(units[0]?.files.signatures).toHaveLength(3);
    expect(units.at(-1)?.files.signatures).toHaveLength(4);
  });

  test('are fetched with as many signatures before them as are enough, and a record file of one node alone', async () => {
    const store = await bucketOf({ files: 3 });
    await memoryLedger().import(sourceOf(store));
    const kinds = store.got.filter((key) => key.includes('record0')).map((key) => key.replace(/.*Z\./, ''));
    const unit = ['rcd_sig', 'rcd_sig', 'rcd.gz'];
    expect(kinds).toEqual([...unit, ...unit, ...unit]);
  });

  test('come without signatures where nothing has to be proven by them', async () => {
    const store = await bucketOf({ files: 3 });
    await memoryLedger().import(sourceOf(store, { wantsSignatures: false }), { verify: 'chain' });
    expect(store.got.filter((key) => key.endsWith('_sig'))).toEqual([]);
  });

  test('are asked of the node that chance chooses', async () => {
    const store = await bucketOf({ files: 1 });
    const draws = [0.9, 0.1, 0.5, 0.7];
    await memoryLedger().import(sourceOf(store, { random: () => draws.shift() ?? 0 }));
    expect(store.got.filter((key) => key.endsWith('.rcd.gz'))).toEqual([
      'recordstreams/record0.0.4/2023-11-14T22_13_20.000000000Z.rcd.gz',
    ]);
  });

  test('are asked of the next node where one has gone, cannot be read or is damaged', async () => {
    for (const failing of [
      async () => null,
      async () => Uint8Array.of(1, 2, 3),
      () => Promise.reject(new IngestError('source_unreachable', 'cut')),
    ]) {
      const store = await bucketOf({ files: 3 });
      const whole: MemoryObjectStore = {
        ...store,
        get: (key, max) => (/record0\.0\.[356]\/.*gz$/.test(key) ? failing() : store.get(key, max)),
      };
      const report = await memoryLedger().import(sourceOf(whole));
      expect(report).toMatchObject({ units: 3, refused: [] });
    }
  });

  test('that cannot be read end the run as a fault of the source, not of the unit', async () => {
    const store = await bucketOf({ files: 30 });
    const from = /22_14_00\.000000000Z\.rcd.gz$|22_14_00\.000000000Z\.rcd_sig$/;
    for (const pattern of [/22_14_00.*gz$/, /22_14_00.*_sig$/, from]) {
      const cut: MemoryObjectStore = {
        ...store,
        get: (key, max) =>
          pattern.test(key)
            ? Promise.reject(new IngestError('source_unreachable', 'SlowDown'))
            : store.get(key, max),
      };
      const ledger = memoryLedger();
      await expect(ledger.import(sourceOf(cut))).rejects.toThrow('SlowDown');
      expect(ledger.units).toHaveLength(20);
      expect(ledger.state()).toMatchObject({ state: 'failed', error: 'SlowDown', rejections: [] });
      const report = await ledger.import(sourceOf(store));
      expect(report).toMatchObject({ units: 10, refused: [] });
    }
  });

  test('that cannot be listed further end the run after what was listed', async () => {
    const store = await bucketOf({ files: 60 });
    let calls = 0;
    const cut: MemoryObjectStore = {
      ...store,
      list: (query) =>
        query.maxKeys === 50 && ++calls > 4
          ? Promise.reject(new IngestError('source_unreachable', 'SlowDown'))
          : store.list(query),
    };
    const ledger = memoryLedger();
    await expect(ledger.import(sourceOf(cut))).rejects.toThrow('SlowDown');
    expect(ledger.units).toHaveLength(24);
  });

  test('larger than 50 MiB are left alone', async () => {
    const store = await bucketOf({ files: 2 });
    const list: MemoryObjectStore['list'] = async (query) => {
      const listing = await store.list(query);
      return {
        ...listing,
        objects: listing.objects.map((object) =>
          /record0\.0\.3\/.*gz$/.test(object.key) ? { ...object, size: 50 * 2 ** 20 + 1 } : object,
        ),
      };
    };
    const units = await listed(sourceOf({ ...store, list }));
    expect(units[0]?.files.records).toHaveLength(3);
    expect(units[0]?.files.signatures).toHaveLength(4);
  });

  test('have their sidecars fetched where they name one, from a node that has it', async () => {
    const store = await bucketOf({ files: 3, contracts: [CONTRACT] });
    const sidecars = [...store.objects.keys()].filter((key) => key.includes('/sidecar/'));
    expect(sidecars).toHaveLength(4);
    for (const key of sidecars.slice(0, 3)) store.objects.delete(key);
    const ledger = memoryLedger();
    expect(await ledger.import(sourceOf(store))).toMatchObject({ units: 3, missingSidecars: 0 });
    expect(ledger.units[0]?.sidecars[0]?.contents).toEqual(store.objects.get(sidecars[3] ?? ''));
    expect(new Set(store.got.filter((key) => key.includes('/sidecar/')))).toEqual(new Set(sidecars));
    for (const key of sidecars) store.objects.delete(key);
    expect(await memoryLedger().import(sourceOf(store))).toMatchObject({ units: 3, missingSidecars: 1 });
  });

  test('after a native block are not listed', async () => {
    const store = await bucketOf({ files: 2 });
    const position = { time: consensusTimestamp(0n), blockNumber: 1n, isNative: true };
    const { pages } = await sourceOf(store).list(position);
    for await (const units of pages) expect(units).toEqual([]);
    expect(store.listed).toEqual([]);
  });

  test('that grow while they are walked are found by the next walk', async () => {
    const all = await bucketOf({ files: 8 });
    const store = memoryObjectStore(
      new Map([...all.objects].filter(([key]) => !/22_13_(2[6-9]|3)/.test(key))),
    );
    const source = sourceOf(store);
    const ledger = memoryLedger();
    expect(await ledger.import(source)).toMatchObject({ units: 3 });
    for (const [key, bytes] of all.objects) store.objects.set(key, bytes);
    expect(await ledger.import(source)).toMatchObject({ units: 5, refused: [] });
  });
});

describe('the layout', () => {
  test.each([
    ['by account', (path: string) => path, ''],
    ['by node id', byNodeId, ''],
    ['by account, in folders of days', byDay, ''],
    ['by node id, in folders of days', (path: string) => byDay(byNodeId(path)), ''],
    ['below a prefix', (path: string) => `archive/a/${path}`, 'archive/a/'],
    ['named by its folder of records', (path: string) => path, 'recordstreams/'],
  ])('%s is found by itself', async (_which, keyOf, top) => {
    const start = consensusTimestamp(1_700_006_395_000_000_000n);
    const store = await bucketOf({ files: 6, start }, keyOf);
    const ledger = memoryLedger();
    expect(await ledger.import(sourceOf(store, { top }))).toMatchObject({
      units: 6,
      refused: [],
      verification: 'signatures',
    });
    const nodesAt = async () => BOOK;
    expect(await listed(sourceOf(store, { nodesAt, top }))).toHaveLength(6);
  });

  test('of one node is found by the name of its folder', async () => {
    const store = await bucketOf({ files: 3 });
    const units = await listed(sourceOf(store, { top: 'recordstreams/record0.0.4/' }));
    expect(units[0]?.files.signatures.map(({ node }) => node)).toEqual([
      { kind: 'account', account: entityId(4n) },
    ]);
  });

  test('in folders of days begins with the day of the end of the ledger', async () => {
    const day = 86_400n * SECOND;
    const store = memoryObjectStore();
    for (const shift of [0n, day, 2n * day]) {
      const other = await bucketOf({ files: 1, start: consensusTimestamp(START + shift) }, byDay);
      for (const [key, bytes] of other.objects) store.objects.set(key, bytes);
    }
    expect(namesOf(await listed(sourceOf(store), consensusTimestamp(START + day - SECOND)))).toEqual([
      '2023-11-15T22_13_20.000000000Z.rcd.gz',
      '2023-11-16T22_13_20.000000000Z.rcd.gz',
    ]);
    expect(store.listed.some(({ prefix }) => prefix.startsWith('2023-11-14/recordstreams/record'))).toBe(
      false,
    );
  });

  test('changes to node ids once accounts have told nothing for ten seconds, and stays there', async () => {
    const all = await bucketOf({ files: 6 });
    const isLate = (key: string) => /22_13_2[6-9]|22_13_3/.test(key);
    const store = memoryObjectStore(new Map([...all.objects].filter(([key]) => !isLate(key))));
    const clock = new ManualClock(0);
    const ledger = memoryLedger();
    const source = sourceOf(store, { clock, nodesAt: async () => BOOK });
    expect(await ledger.import(source)).toMatchObject({ units: 3 });
    for (const [key, bytes] of all.objects) if (isLate(key)) store.objects.set(byNodeId(key), bytes);
    const [last] = ledger.units.slice(-1);
    const after = last === undefined ? null : beginOf(last.header);
    expect(await listed(source, after)).toEqual([]);
    clock.advance(9_999);
    expect(await listed(source, after)).toEqual([]);
    clock.advance(1);
    expect(await ledger.import(source)).toMatchObject({ units: 3, refused: [] });
    store.listed.length = 0;
    await listed(source);
    expect(store.listed.map(({ prefix }) => prefix)).toEqual(
      [0, 1, 2, 3].map((id) => `mainnet/0/${id}/record/`),
    );
  });
});

describe('names of old formats', () => {
  test('with fewer digits are in the order of time, across the calls of a listing', async () => {
    const store = memoryObjectStore();
    const folder = 'recordstreams/record0.0.3/';
    const names = [];
    for (let second = 10; second < 60; second++) {
      // Of one second: none, three, six and nine digits.
      for (const fraction of ['', '.25', '.250000001', '.396441']) {
        const name = `2019-09-13T21_53_${second}${fraction}Z`;
        names.push(`${name}.rcd`);
        store.objects.set(`${folder}${name}.rcd`, Uint8Array.of(1));
        store.objects.set(`${folder}${name}.rcd_sig`, Uint8Array.of(1));
      }
    }
    expect(namesOf(await listed(sourceOf(store)))).toEqual(names);
    const after = (await listed(sourceOf(store)))[97]?.instant ?? null;
    expect(namesOf(await listed(sourceOf(store), after))).toEqual(names.slice(98));
  });

  test('so many of one second that no call holds them are listed further', async () => {
    const store = memoryObjectStore();
    const names = Array.from({ length: 200 }, (_none, at) => `2019-09-13T21_53_10.${String(at + 100)}Z.rcd`);
    for (const name of names) store.objects.set(`recordstreams/record0.0.3/${name}`, Uint8Array.of(1));
    store.objects.set('recordstreams/record0.0.3/2019-09-13T21_53_11.100Z.rcd', Uint8Array.of(1));
    expect(await listed(sourceOf(store))).toHaveLength(201);
  });
});
