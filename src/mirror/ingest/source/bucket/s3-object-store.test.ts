import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type S3Proxy, startS3Proxy } from '../../../../../test/support/s3/s3-proxy.ts';
import { S3_BUCKET, S3_KEY, type S3Server, startS3Server } from '../../../../../test/support/s3/s3-server.ts';
import { systemClock } from '../../../../values/clock.ts';
import type { BucketAccessPlan } from './bucket-access.ts';
import { foldersBelow, type ObjectStore } from './object-store.ts';
import { createS3ObjectStore, type S3Limits } from './s3-object-store.ts';

const LIMITS: S3Limits = { connectMs: 2_000, silentMs: 400, listingMs: 4_000, attempts: 3 };

let server: S3Server;
let proxy: S3Proxy;
const stores: ObjectStore[] = [];

beforeAll(async () => {
  server = await startS3Server();
  for (const key of ['a/1', 'a/2', 'a/3', 'a/b/1', 'a/c/1', 'a0', 'b b+c/ü=1']) {
    await server.put(key, Buffer.from(`content of ${key}`));
  }
  await server.put('large', Buffer.alloc(300_000, 7));
  await server.put('empty', new Uint8Array());
});
afterAll(() => server.close());

beforeEach(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', S3_KEY.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', S3_KEY.secretAccessKey);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere');
  vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
  proxy = await startS3Proxy(server.url);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const store of stores.splice(0)) store.close();
  await proxy.close();
});

function storeWith(plan: Partial<BucketAccessPlan> = {}): ObjectStore {
  const store = createS3ObjectStore({
    plan: {
      bucket: S3_BUCKET,
      name: `s3://${S3_BUCKET}`,
      endpoint: proxy.url,
      region: 'us-east-1',
      isRegionChosen: false,
      isPathStyle: true,
      isSigned: true,
      paysForRequests: false,
      payingProject: null,
      ...plan,
    },
    clock: systemClock,
    limits: LIMITS,
  });
  stores.push(store);
  return store;
}

describe('an S3-compatible store', () => {
  test('lists what lies directly below a prefix, call by call', async () => {
    const store = storeWith();
    expect(await store.list({ prefix: 'a/', maxKeys: 2 })).toEqual({
      objects: [
        { key: 'a/1', size: 14 },
        { key: 'a/2', size: 14 },
      ],
      folders: [],
      next: 'a/2',
    });
    expect(await store.list({ prefix: 'a/', after: 'a/2', maxKeys: 2 })).toEqual({
      objects: [{ key: 'a/3', size: 14 }],
      folders: ['a/b/'],
      next: 'a/b0',
    });
    expect(await store.list({ prefix: 'a/', after: 'a/b0', maxKeys: 2 })).toEqual({
      objects: [],
      folders: ['a/c/'],
      next: null,
    });
    expect(await foldersBelow(store, '')).toEqual(['a/', 'b b+c/']);
    expect(await store.list({ prefix: 'nowhere/', maxKeys: 2 })).toEqual({
      objects: [],
      folders: [],
      next: null,
    });
  });

  test('gets objects whole, and null for those that are not there', async () => {
    const store = storeWith();
    expect(Buffer.from((await store.get('b b+c/ü=1', null)) ?? []).toString()).toBe('content of b b+c/ü=1');
    expect(await store.get('large', 300_000)).toHaveLength(300_000);
    expect(await store.get('empty', 0)).toHaveLength(0);
    expect(await store.get('nothing', null)).toBeNull();
  });

  test('follows the bucket into its region, unless another was chosen', async () => {
    proxy.region = 'eu-central-1';
    const store = storeWith();
    expect(await store.get('a/1', null)).toHaveLength(14);
    const before = proxy.requests.length;
    expect(await store.get('a/1', null)).toHaveLength(14);
    expect(proxy.requests).toHaveLength(before + 1);
    await expect(storeWith({ isRegionChosen: true }).get('a/1', null)).rejects.toThrow(
      'it is in the region eu-central-1, not in us-east-1: set MIRROR_BUCKET_REGION=eu-central-1',
    );
  });

  test('that is public is read without credentials', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', '');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
    proxy.isPublic = true;
    const store = storeWith({ isSigned: false });
    expect(await store.get('a/1', null)).toHaveLength(14);
    proxy.isPublic = false;
    await expect(store.get('a/1', null)).rejects.toMatchObject({
      code: 'source_refused',
      message: expect.stringContaining('it is not public'),
    });
  });

  test('whose readers pay is read by saying so', async () => {
    proxy.asksForPay = true;
    await expect(storeWith().get('a/1', null)).rejects.toThrow('MIRROR_BUCKET_ACCESS=requester-pays');
    const store = storeWith({ paysForRequests: true });
    expect(await store.get('a/1', null)).toHaveLength(14);
    expect((await store.list({ prefix: 'a/', maxKeys: 5 })).objects).toHaveLength(3);
  });

  test('of Google is told which project pays, under the signature', async () => {
    expect(await storeWith({ payingProject: 'mine' }).get('a/1', null)).toHaveLength(14);
    const { headers } = proxy.requests.at(-1) ?? expect.fail('no request');
    expect(headers['x-goog-user-project']).toBe('mine');
    expect(headers.authorization).toMatch(/SignedHeaders=[^,]*x-goog-user-project/);
  });

  test('is read although the clock of this machine is wrong', async () => {
    proxy.aheadMs = 5 * 3_600_000;
    expect(await storeWith().get('a/1', null)).toHaveLength(14);
  });

  test.each([
    ['an unknown key', { AWS_ACCESS_KEY_ID: 'AKIAUNKNOWNUNKNOWN' }, 'the access key is unknown'],
    ['a wrong secret', { AWS_SECRET_ACCESS_KEY: 'hushhush' }, 'the secret does not belong to the access key'],
    ['no credentials', { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' }, 'there are no credentials'],
  ])('refuses %s, which is told without secrets', async (_which, environment, text) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const error: unknown = await storeWith()
      .get('a/1', null)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'source_refused', message: expect.stringContaining(text) });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/AKIA|hushhush|Signature=/);
  });

  test.each([
    ['a bucket that is not there', { bucket: 'nothing' }, 'source_refused', 'the bucket does not exist'],
    [
      'a port at which nothing listens',
      { endpoint: 'http://127.0.0.1:9' },
      'source_unreachable',
      'nothing is listening',
    ],
    ['a host that is not there', { endpoint: 'http://s3.invalid' }, 'source_unreachable', /s3\.invalid/],
  ])('tells of %s', async (_which, plan, code, text) => {
    await expect(storeWith(plan).list({ prefix: '', maxKeys: 1 })).rejects.toMatchObject({
      code,
      message: typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
    });
  });

  test('tells of a server that answers 200 to anything', async () => {
    const website = createServer((_request, answer) => answer.end('<html>welcome</html>'));
    website.listen(0, '127.0.0.1');
    await once(website, 'listening');
    const endpoint = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
    try {
      await expect(storeWith({ endpoint }).list({ prefix: '', maxKeys: 1 })).rejects.toMatchObject({
        code: 'source_unreachable',
        message: expect.stringContaining('this is not an S3-compatible store'),
      });
    } finally {
      website.close();
    }
  });

  const xml = (more: string) => `<ListBucketResult><IsTruncated>true</IsTruncated>${more}</ListBucketResult>`;
  const entry = (key: string) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`;
  const endless: RequestListener = (_request, answer) => {
    const chunk = entry('a/1').repeat(2000);
    answer.write('<ListBucketResult>');
    const write = () => {
      while (!answer.destroyed && answer.write(chunk));
    };
    answer.on('drain', write);
    write();
  };
  const dripping: RequestListener = (_request, answer) => {
    answer.write('<ListBucketResult>');
    const timer = setInterval(() => answer.write(' '), 50);
    answer.on('close', () => clearInterval(timer));
  };

  test.each<[string, RequestListener, string]>([
    ['never ends', endless, 'is larger than 8388608 bytes'],
    ['comes byte by byte', dripping, 'did not end a listing within 4000 ms'],
    ['stays where it is', (_request, answer) => answer.end(xml(entry('a/1'))), 'does not advance'],
    [
      'has more than was requested',
      (_request, answer) => answer.end(xml([2, 3, 4].map((each) => entry(`a/${each}`)).join(''))),
      'has more than the 2 entries',
    ],
  ])('refuses a listing that %s', async (_which, listener, text) => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await expect(
        storeWith({ endpoint }).list({ prefix: 'a/', after: 'a/1', maxKeys: 2 }),
      ).rejects.toMatchObject({
        code: listener === dripping ? 'source_unreachable' : 'source_refused',
        message: expect.stringContaining(text),
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('of folders without end is left', async () => {
    let count = 0;
    const store = {
      list: async () => {
        const folders = Array.from({ length: 1000 }, () => `${String(count++).padStart(9, '0')}/`);
        return { objects: [], folders, next: folders.at(-1) ?? null };
      },
    };
    await expect(foldersBelow(store, '')).rejects.toThrow('"" has more than 10000 folders');
  });

  test('tells of a plain server that is asked for TLS', async () => {
    const endpoint = proxy.url.replace('http:', 'https:');
    await expect(storeWith({ endpoint }).get('a/1', null)).rejects.toThrow('does not speak TLS as expected');
  });
});

describe('faults of a store', () => {
  test.each(['slow-down', 'cut', 'short', 'hang', 'stall'] as const)(
    '%s once or twice is not noticed',
    async (fault) => {
      for (const times of [1, 2]) {
        const from = proxy.requests.length;
        proxy.fault = ({ before }) => (before < from + times ? fault : null);
        expect(await storeWith().get('large', 300_000)).toHaveLength(300_000);
        expect(proxy.requests).toHaveLength(from + times + 1);
      }
    },
  );

  test.each([
    ['slow-down', 'it limits the rate of requests'],
    ['cut', 'was interrupted'],
    ['short', 'was interrupted'],
    ['hang', 'did not respond in time'],
    ['stall', 'was interrupted'],
  ] as const)('%s without end is told after three attempts', async (fault, text) => {
    proxy.fault = () => fault;
    const error: unknown = await storeWith()
      .get('large', 300_000)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'source_unreachable',
      message: expect.stringContaining(text),
    });
    expect(proxy.requests).toHaveLength(LIMITS.attempts);
  });

  test.each(['slow-down', 'cut', 'short', 'hang', 'stall'] as const)(
    '%s is not noticed in a listing either',
    async (fault) => {
      const from = proxy.requests.length;
      proxy.fault = ({ before }) => (before < from + 2 ? fault : null);
      expect((await storeWith().list({ prefix: 'a/', maxKeys: 100 })).objects).toHaveLength(3);
      expect(proxy.requests).toHaveLength(from + 3);
    },
  );

  test('a download that nobody wants any more ends', async () => {
    proxy.fault = () => 'stall';
    const stop = new AbortController();
    const getting = storeWith().get('large', 300_000, stop.signal);
    await expect.poll(() => proxy.requests).toHaveLength(1);
    stop.abort();
    await expect(getting).rejects.toThrow();
    expect(proxy.requests).toHaveLength(1);
  });
});
