import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createSourceGateway } from './source-gateway.ts';

const CID = 'QmdavitU3K47gcwBRf5GcEPzHGTMzZEXc2DeKAUHvaD3j1';
const never = new AbortController().signal;
const source = (...urls: string[]) => ({ keccak256: '0x', urls });

function aGateway(answer: (url: string) => Promise<Response> | Response, limits: object = {}) {
  const asked: string[] = [];
  const gateway = createSourceGateway({
    ipfsUrl: 'http://gateway.test/ipfs/',
    fetch: async (url, init) => {
      asked.push(url);
      expect(init.redirect).toBe('error');
      init.signal?.throwIfAborted();
      return answer(url);
    },
    ...limits,
  });
  return { gateway, asked };
}

describe('a source gateway', () => {
  test('asks for IPFS addresses and files on GitHub, and for nothing else', async () => {
    const { gateway, asked } = aGateway((url) => new Response(url));
    const texts = await gateway.fetch(
      {
        a: source('bzz-raw://00', `dweb:/ipfs/${CID}`),
        b: source('dweb:/ipfs/../../secret', `dweb:/ipfs/${CID}/../x`, 'http://10.0.0.1/'),
        'https://github.com/o/r/blob/main/c d.sol': source(),
        'github.com/o/r/raw/v1/d.sol': source(),
        'https://github.com/o/r/blob/../../other/e.sol': source(),
        'https://evil.test/github.com/o/r/blob/main/f.sol': source(),
      },
      never,
    );
    expect(asked).toEqual([
      `http://gateway.test/ipfs/${CID}`,
      'https://raw.githubusercontent.com/o/r/main/c%20d.sol',
      'https://raw.githubusercontent.com/o/r/v1/d.sol',
    ]);
    expect(Object.keys(texts)).toEqual([
      'a',
      'https://github.com/o/r/blob/main/c d.sol',
      'github.com/o/r/raw/v1/d.sol',
    ]);
  });

  test('leaves nothing in the signal of its caller', async () => {
    const { signal } = new AbortController();
    const { gateway } = aGateway(() => new Response('x'));
    await gateway.fetch({ a: source(`dweb:/ipfs/${CID}`) }, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test.each<[string, () => Promise<Response> | Response]>([
    ['a status that is no success', () => new Response('x', { status: 500 })],
    ['a failure', () => Promise.reject(new Error('redirect'))],
    ['more than the limit', () => new Response('x'.repeat(101))],
    [
      'a body that breaks off',
      () => new Response(new ReadableStream({ pull: (c) => c.error(new Error('cut')) })),
    ],
  ])('leaves a source missing after %s', async (_, answer) => {
    const { gateway } = aGateway(answer, { maxBytes: 100 });
    expect(await gateway.fetch({ a: source(`dweb:/ipfs/${CID}`) }, never)).toEqual({});
  });

  test('fetches no more than the limit of all files together', async () => {
    const { gateway, asked } = aGateway(() => new Response('x'.repeat(60)), { maxTotalBytes: 100 });
    const paths = Array.from({ length: 20 }, (_, index) => `${index}.sol`);
    const sources = Object.fromEntries(paths.map((path) => [path, source(`dweb:/ipfs/${CID}`)]));
    const texts = await gateway.fetch(sources, never);
    expect(Object.keys(texts)).toHaveLength(1);
    // Those that were under way at the same moment may still come in.
    expect(asked.length).toBeLessThan(10);
  });

  test('stops when the job is cancelled', async () => {
    const cancelled = new AbortController();
    const { gateway } = aGateway(() => {
      cancelled.abort(new Error('not wanted'));
      throw cancelled.signal.reason;
    });
    await expect(gateway.fetch({ a: source(`dweb:/ipfs/${CID}`) }, cancelled.signal)).rejects.toThrow(
      'not wanted',
    );
  });
});
