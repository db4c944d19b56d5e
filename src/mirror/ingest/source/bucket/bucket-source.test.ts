import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { blockParts } from '../../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { type MemoryLedger, memoryLedger } from '../../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { streamPath } from '../../../../../test/kit/mirror/ingest/stream-facts.ts';
import {
  type Fault,
  type ProxiedRequest,
  type S3Proxy,
  startS3Proxy,
} from '../../../../../test/support/s3/s3-proxy.ts';
import { S3_BUCKET, S3_KEY, type S3Server, startS3Server } from '../../../../../test/support/s3/s3-server.ts';
import { describeShared } from '../../../../../test/support/shared-suites.ts';
import { makeNodeSigners } from '../../../../../tools/network/node-signer.ts';
import { seededRandom } from '../../../../../tools/network/seeded-random.ts';
import { writeStream } from '../../../../../tools/network/write-stream.ts';
import { systemClock } from '../../../../values/clock.ts';
import { createBlockUnit } from '../../block/block-unit.ts';
import type { BucketSettings } from '../../units/live-source.ts';
import type { StreamSource } from '../../units/stream-source.ts';
import { createDirectorySource } from '../directory-source.ts';
import { systemFileTree } from '../file-tree.ts';
import { blockKey } from './block-bucket.ts';
import { type BucketSourceParts, createBucketSource } from './bucket-source.ts';
import { S3_LIMITS, type S3Limits } from './s3-object-store.ts';

const LIMITS: S3Limits = { connectMs: 2_000, silentMs: 1_000, listingMs: 30_000, attempts: 3 };
const SETS = ['chain-v1', 'chain-v2v5', 'chain-v5v6', 'chain-v6-sidecar'];
const WRITTEN = 40;
/** Listings that lag show a hole, or signatures without their file. */
const MAY_BE_TOLD = ['source_unreachable', 'chain_mismatch', 'record_file_missing', 'consensus_not_reached'];

let server: S3Server;
let proxy: S3Proxy;
/** The written stream, imported without a fault. */
let undisturbed: string;

beforeAll(async () => {
  server = await startS3Server();
  const signers = makeNodeSigners(4, seededRandom('bucket source'), 1024);
  await writeStream((path, bytes) => server.put(`written/${path}`, bytes), {
    files: WRITTEN,
    transactionsPerFile: 2,
    signers,
    copies: 2,
    contracts: [{ by: 'body', creationCode: Uint8Array.of(1), runtimeCode: Uint8Array.of(2) }],
  });
});
afterAll(() => server.close());

beforeEach(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', S3_KEY.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', S3_KEY.secretAccessKey);
  proxy = await startS3Proxy(server.url);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await proxy.close();
});

async function putFolder(folder: string, prefix: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    await server.put(`${prefix}/${path.slice(folder.length + 1)}`, readFileSync(path));
  }
}

/** Everything stored, too long to be printed. */
function digest(ledger: MemoryLedger): string {
  return createHash('sha256').update(ledger.dump()).digest('hex');
}

function sourceOf(
  prefix: string,
  settings: Partial<BucketSettings> = {},
  parts: Partial<BucketSourceParts> = {},
): StreamSource {
  const order = seededRandom('order of nodes');
  return createBucketSource(
    {
      kind: 'bucket',
      name: `s3://${S3_BUCKET}/${prefix}`,
      content: 'records',
      bucket: S3_BUCKET,
      prefix,
      endpoint: proxy.url,
      region: null,
      access: 'auto',
      ...settings,
    },
    {
      nodesAt: async () => null,
      mode: 'signatures',
      consensusRatio: [1n, 3n],
      makeUnit: null,
      clock: systemClock,
      random: () => order.below(1_000_000) / 1_000_000,
      environment: {},
      limits: LIMITS,
      ...parts,
    },
  );
}

describeShared('real record files in a bucket', () => {
  beforeAll(async () => {
    for (const set of [...SETS, 'layout-node-id']) await putFolder(streamPath(set), set);
  });

  test.each(SETS)('of the set %s become the same ledger as in their folder', async (set) => {
    const [fromFolder, fromBucket] = [memoryLedger(), memoryLedger()];
    await fromFolder.import(createDirectorySource(streamPath(set), systemFileTree));
    // Nodes pack one and the same file into different envelopes.
    const source = sourceOf(set, {}, { random: () => 0 });
    expect(await fromBucket.import({ ...source, name: streamPath(set) })).toMatchObject({
      units: 2,
      refused: [],
      verification: 'signatures',
    });
    expect(digest(fromBucket)).toBe(digest(fromFolder));
    await source.close?.();
  });

  test('by node id are found by themselves', async () => {
    const source = sourceOf('layout-node-id');
    const report = await memoryLedger().import(source, { consensusRatio: [0n, 1n] });
    expect(report).toMatchObject({ units: 2, refused: [], verification: 'signatures' });
    await source.close?.();
  });
});

describeShared('real blocks in a bucket', () => {
  const home = { shard: 11n, realm: 12n };
  test.each([
    ['blocks-0.78', 'of the network that began last', 'testnet-202608010000/block/', home],
    ['blocks-0.73', 'as the cloud plugin of block nodes puts them', 'blocks/', {}],
  ] as const)(
    'of the set %s, %s, are imported by their numbers, proofs checked',
    async (set, _how, base, options) => {
      const prefix = `in-bucket-${set}`;
      for (const number of [0n, 1n, 2n]) {
        const bytes = readFileSync(streamPath(set, `${number}.blk.gz`));
        await server.put(`${prefix}/${blockKey(base, number, 'blk.gz')}`, bytes);
        // Of the network before its last reset.
        if (base !== 'blocks/')
          await server.put(`${prefix}/${blockKey('testnet-202601010000/block/', number, 'blk.gz')}`, bytes);
      }
      const parts = blockParts();
      const source = sourceOf(
        prefix,
        { content: 'blocks' },
        { makeUnit: (block) => createBlockUnit(block, parts) },
      );
      const ledger = memoryLedger();
      expect(await ledger.import(source, options)).toMatchObject({
        units: 3,
        refused: [],
        verification: 'chain',
      });
      expect(ledger.units.map(({ header }) => [header.blockNumber, header.isNative])).toEqual([
        [0n, true],
        [1n, true],
        [2n, true],
      ]);
      await source.close?.();
    },
  );
});

/** Imports again and again, as a server does, until everything is there. */
async function followed(ledger: MemoryLedger, source: StreamSource): Promise<readonly string[]> {
  const faults: string[] = [];
  for (let round = 0; ledger.units.length < WRITTEN && round < 60; round++) {
    try {
      const { refused } = await ledger.import(source);
      faults.push(...refused.map(({ code }) => code));
    } catch (error) {
      faults.push((error as { code: string }).code);
    }
  }
  return faults;
}

describe('requests that readers pay', () => {
  const files = 30;
  test.each([
    [4, { signatures: 2, listings: 12 }],
    [31, { signatures: 11, listings: 66 }],
  ])('of %d nodes are few: catching up, and live', async (nodes, most) => {
    const prefix = `paid-${nodes}`;
    const written = new Map<string, Uint8Array>();
    await writeStream(async (path, bytes) => void written.set(path, bytes), {
      files,
      transactionsPerFile: 1,
      signers: makeNodeSigners(nodes, seededRandom('paid'), 1024),
      copies: nodes,
    });
    const names = [...new Set([...written.keys()].flatMap((path) => /[^/]+Z/.exec(path) ?? []))].sort();
    const isLate = (path: string) => names.slice(-4).some((name) => path.includes(name));
    const put = async (wanted: (path: string) => boolean) => {
      const some = [...written].filter(([path]) => wanted(path));
      await Promise.all(some.map(([path, bytes]) => server.put(`${prefix}/${path}`, bytes)));
    };
    // Keys, since a busy machine may make the SDK ask twice.
    const keysOf = (end: string) =>
      new Set(proxy.requests.filter(({ isList, key }) => !isList && key.endsWith(end)).map(({ key }) => key));
    const cost = () => ({
      listings: proxy.requests.filter(({ isList }) => isList).length,
      signatures: keysOf('_sig').size,
      records: keysOf('.rcd.gz').size,
    });
    await put((path) => !isLate(path));
    const ledger = memoryLedger();
    const nodesAt: BucketSourceParts['nodesAt'] = async (time) =>
      (await ledger.repository.nodeKeysAt(time))?.nodes ?? null;
    const source = sourceOf(prefix, {}, { nodesAt, limits: S3_LIMITS });
    expect(await ledger.import(source)).toMatchObject({ units: files - 4, refused: [] });
    const caughtUp = cost();
    expect(caughtUp).toMatchObject({ signatures: most.signatures * (files - 4), records: files - 4 });
    expect(caughtUp.listings).toBeLessThanOrEqual(most.listings);
    for (const name of names.slice(-4)) {
      await put((path) => path.includes(name));
      expect(await ledger.import(source)).toMatchObject({ units: 1, refused: [] });
    }
    const live = cost();
    // One for a look, and the layout once more, since the first look knew no book.
    expect(live.listings - caughtUp.listings).toBeLessThanOrEqual(4 + 3);
    expect(live.signatures - caughtUp.signatures).toBe(4 * most.signatures);
    expect(live.records - caughtUp.records).toBe(4);
    await source.close?.();
  });
});

describe('a bucket that does wrong', () => {
  beforeAll(async () => {
    proxy = await startS3Proxy(server.url);
    vi.stubEnv('AWS_ACCESS_KEY_ID', S3_KEY.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', S3_KEY.secretAccessKey);
    const ledger = memoryLedger();
    const source = sourceOf('written', {}, { limits: S3_LIMITS });
    await ledger.import(source);
    undisturbed = digest(ledger);
    await source.close?.();
    await proxy.close();
  });

  const some = (fault: Fault, every: number) => (request: ProxiedRequest) =>
    request.before % every === every - 1 ? fault : null;

  test.each<[string, (request: ProxiedRequest) => Fault | null]>([
    ['asks to slow down now and then', some('slow-down', 9)],
    ['cuts bodies', some('cut', 3)],
    ['tells wrong lengths', some('short', 3)],
    ['does not answer now and then', some('hang', 37)],
    ['stops in the middle of a body', some('stall', 41)],
    ['lists late', ({ before, isList }) => (isList && before % 2 === 1 ? 'stale' : null)],
    // A look may make an even number of requests, so that the same one is always late.
    ['lists late at even requests', ({ before, isList }) => (isList && before % 2 === 0 ? 'stale' : null)],
    [
      'always lists one node late',
      ({ isList, key }) => (isList && key.endsWith('record0.0.3/') ? 'stale' : null),
    ],
    ['fails for a while altogether', ({ before }) => (before > 60 && before < 160 ? 'slow-down' : null)],
    ['is silent for a while', ({ before }) => (before > 60 && before < 120 ? 'hang' : null)],
    [
      'has all of it at once',
      ({ before }) =>
        (['slow-down', null, 'cut', null, null, 'short', null, 'stale', null, null, null] as const)[
          before % 11
        ] ?? null,
    ],
  ])('and %s loses nothing, doubles nothing and keeps the order', async (_what, fault) => {
    let lags = false;
    proxy.fault = (request) => {
      const given = fault(request);
      lags ||= given === 'stale';
      return given;
    };
    const ledger = memoryLedger();
    const source = sourceOf('written');
    const faults = await followed(ledger, source);
    await source.close?.();
    expect(ledger.units.map(({ header }) => header.blockNumber)).toEqual(
      Array.from({ length: WRITTEN }, (_none, at) => BigInt(at)),
    );
    expect(digest(ledger)).toBe(undisturbed);
    // What is not the fault of a unit is never told as one.
    const may = lags ? [...MAY_BE_TOLD, 'nothing_to_import'] : MAY_BE_TOLD;
    expect(faults.filter((code) => !may.includes(code))).toEqual([]);
  });

  test('and fails for good stores what came before, and tells why', async () => {
    const ledger = memoryLedger();
    proxy.fault = ({ isList, key }) => (!isList && key.includes('22_14_00') ? 'slow-down' : null);
    const source = sourceOf('written');
    await expect(ledger.import(source)).rejects.toMatchObject({
      code: 'source_unreachable',
      message: 's3://streams: it limits the rate of requests',
    });
    expect(ledger.units).toHaveLength(20);
    expect(ledger.state()).toMatchObject({ state: 'failed', rejections: [] });
    proxy.fault = () => null;
    expect(await ledger.import(source)).toMatchObject({ units: 20, refused: [] });
    expect(digest(ledger)).toBe(undisturbed);
    await source.close?.();
  });

  test('and whose readers pay is not read without saying so', async () => {
    proxy.asksForPay = true;
    const [refused, taken] = [sourceOf('written'), sourceOf('written', { access: 'requester-pays' })];
    await expect(memoryLedger().import(refused)).rejects.toThrow('MIRROR_BUCKET_ACCESS=requester-pays');
    expect(await memoryLedger().import(taken)).toMatchObject({ units: WRITTEN });
    await refused.close?.();
    await taken.close?.();
  });
});
