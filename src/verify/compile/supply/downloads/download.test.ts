import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../../test/kit/verify/loopback-server.ts';
import { createDownloader } from './download.ts';

let server: LoopbackServer;
let folder = '';
const limits = { timeoutsMs: [2000, 2000, 2000], restMs: 0, maxBytes: 1000 };
const request = (path = '/file') => ({ url: new URL(path, server.url) });
const text = (change: Partial<typeof limits> = {}, path = '/file') =>
  createDownloader(fetch, { ...limits, ...change }).text(request(path));

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-download-'));
  server.answers.clear();
  server.requests.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a download', () => {
  test('is the body, or null when there is no such thing', async () => {
    server.answers.set('/file', 'body');
    expect(await text()).toBe('body');
    expect(await text({}, '/other')).toBeNull();
    expect(server.requests).toHaveLength(2);
  });

  test('is not asked for, nor are they told, when the address holds credentials', async () => {
    const url = new URL('/file', server.url.replace('//', '//me:secret@'));
    const failed = createDownloader(fetch, limits).text({ url });
    await expect(failed).rejects.toThrow(
      `${server.url}/file cannot be downloaded: the address contains credentials, which are not sent`,
    );
    expect(server.requests).toEqual([]);
  });

  test('is tried again after a fault of the server, a broken connection and silence', async () => {
    const faults: ((response: ServerResponse) => void)[] = [
      () => {},
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => response.destroy());
      },
    ];
    server.answers.set('/file', (_, response) => {
      const fault = faults.shift();
      if (fault === undefined) response.end('whole');
      else fault(response);
    });
    const path = join(folder, 'file');
    const seen: string[] = [];
    const isThere = await createDownloader(fetch, { ...limits, timeoutsMs: [50, 2000, 2000, 2000] }).file(
      request(),
      path,
      () => {
        seen.length = 0;
        return (bytes) => seen.push(Buffer.from(bytes).toString());
      },
    );
    expect(isThere).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('whole');
    expect(seen.join('')).toBe('whole');
  });

  test.each([
    [
      'when the server keeps failing',
      503,
      /\/file cannot be downloaded: the server returned 503, tried 3 times/,
      3,
    ],
    ['at once when the server refuses', 401, /the server returned 401$/, 1],
  ])('ends %s', async (_, status, message, requests) => {
    server.answers.set('/file', (_, response) => response.writeHead(status).end());
    await expect(text()).rejects.toThrow(message);
    expect(server.requests).toHaveLength(requests);
  });

  test('ends when the server never answers', async () => {
    server.answers.set('/file', () => {});
    await expect(text({ timeoutsMs: [20, 30] })).rejects.toThrow('it did not respond in time, tried 2 times');
  });

  test('ends when the server hangs in the middle of the body', async () => {
    server.answers.set('/file', (_, response) => response.write('half'));
    await expect(text({ timeoutsMs: [50] })).rejects.toThrow('it did not respond in time');
  });

  test('says when nobody listens', async () => {
    const closed = await startLoopbackServer();
    await closed.close();
    const download = createDownloader(fetch, limits).text({ url: new URL(`${closed.url}/x?key=secret`) });
    await expect(download).rejects.toThrow(/\/x cannot be downloaded: connect ECONNREFUSED/);
  });

  test.each([
    ['a length', { 'content-length': '1001' }],
    ['no length', {}],
  ])('refuses an answer that is too long and has %s', async (_, headers) => {
    server.answers.set('/file', (_, response) => response.writeHead(200, headers).end('x'.repeat(1001)));
    await expect(text()).rejects.toThrow('the response is longer than 1000 bytes');
    expect(server.requests).toHaveLength(1);
  });

  test('follows redirects on the same host only, and not for ever', async () => {
    const to = (location: string) => (_: unknown, response: ServerResponse) =>
      response.writeHead(302, { location }).end();
    server.answers.set('/here', to('/file'));
    server.answers.set('/file', 'body');
    server.answers.set('/elsewhere', to('http://other.example/file'));
    server.answers.set('/loop', to('/loop'));
    expect(await text({}, '/here')).toBe('body');
    await expect(text({}, '/elsewhere')).rejects.toThrow('another host (http://other.example)');
    await expect(text({}, '/loop')).rejects.toThrow('redirects more than 3 times');
  });

  test('tells how far it is', async () => {
    server.answers.set('/a+b', (_, response) =>
      response.writeHead(200, { 'content-length': '4' }).end('body'),
    );
    const progress: unknown[] = [];
    const url = new URL('/a%2Bb', server.url);
    await createDownloader(fetch, limits).text({ url, onProgress: (each) => progress.push(each) });
    expect(progress.at(-1)).toEqual({ done: 4, total: 4, name: 'a+b' });
  });
});
