import { getEventListeners, once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../values/clock.ts';
import { ChainUnavailableError } from './contract-code-source.ts';
import { createJsonRpcClient, type RpcFailure } from './json-rpc-client.ts';
import { callEndpoint, type Fetch } from './json-rpc-endpoint.ts';

const TIMEOUT_MS = 250;
const PATIENT_MS = 60_000;
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const endpoint = (url: string, timeoutMs = TIMEOUT_MS) => ({ url, headers: {}, timeoutMs, trace: null });
const clientOf = (
  urls: readonly string[],
  fetchChain: Fetch = fetch,
  clock = new ManualClock(1000),
  timeoutMs = TIMEOUT_MS,
) => {
  const wrong: string[] = [];
  const failures: RpcFailure[] = [];
  const client = createJsonRpcClient(
    urls.map((url) => endpoint(url, timeoutMs)),
    {
      fetch: fetchChain,
      clock,
      chainId: '31337',
      onWrongChain: (found) => wrong.push(`${found.endpoint.url} ${found.actual}`),
      onFailure: (reason) => failures.push(reason),
    },
  );
  return { client, wrong, failures, clock };
};

test('a call leaves nothing in the signal of its caller', async () => {
  const { signal } = new AbortController();
  const answer = async () => new Response('{"result":"0x1"}');
  expect(await callEndpoint(answer, endpoint('http://node.test/'), 'eth_chainId', [], signal)).toBe('0x1');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

const methodOf = (init: RequestInit) => JSON.parse(String(init.body)).method as string;
const answer = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result });

describe('an endpoint that lies', () => {
  const endless: RequestListener = (_request, response) => {
    const chunk = Buffer.alloc(65_536, 0x20);
    const write = () => {
      while (response.write(chunk));
    };
    response.on('drain', write);
    write();
  };
  const redirect: RequestListener = (_request, response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
  };
  const drip: RequestListener = (_request, response) => {
    response.write('{');
    const timer = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(timer));
  };
  const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
  const text =
    (body: string | Buffer, headers: Record<string, string> = {}, status = 200): RequestListener =>
    (_request, response) =>
      response.writeHead(status, headers).end(body);

  test.each<[string, RequestListener, RegExp]>([
    ['never answers', () => {}, /no response within 250 ms/],
    ['sends a byte now and then', drip, /no response within 250 ms/],
    ['sends without end', endless, /larger than/],
    ['sends a gzip bomb', text(bomb, { 'content-encoding': 'gzip' }), /larger than \d+ bytes/],
    ['redirects', redirect, /redirect/],
    ['drops the connection', (request) => request.socket.destroy(), /fetch failed/],
    ['answers another call', text('{"id":2,"result":"0x6001"}'), /belongs to another call/],
    ['answers with a number', text('{"id":1,"result":24577}'), /not of the expected form/],
    ['answers with half a byte', text('{"id":1,"result":"0x600"}'), /not of the expected form/],
    ['answers with a list', text('[{"id":1,"result":"0x"}]'), /not a JSON object/],
    ['answers with a page', text('<html>'), /not a JSON object/],
    ['answers with an error text', text('{"id":1,"error":"too busy"}'), /too busy/],
    ['has its limit', text('{"id":1,"error":{"message":"slow down"}}', {}, 429), /HTTP status 429/],
    ['is broken', text('Bad gateway', {}, 502), /HTTP status 502/],
    ['sends a refusal with a status', text('{"id":1,"error":{"message":"no state"}}', {}, 400), /no state/],
  ])('is unavailable within the limit when it %s', async (_, listener, reason) => {
    // Who is to be seen through must not look late on a busy machine.
    const timeoutMs = reason.source.startsWith('no response') ? TIMEOUT_MS : PATIENT_MS;
    const { client } = clientOf([await serve(listener)], fetch, new ManualClock(1000), timeoutMs);
    const call = client.call('eth_getCode', ['0x', 'latest']);
    await expect(call).rejects.toThrow(ChainUnavailableError);
    await expect(call).rejects.toThrow(reason);
  });

  test('ends a slow body that is not bound to the signal', async () => {
    const { client } = clientOf(['http://a/'], async () => new Response(new ReadableStream({ pull() {} })));
    await expect(client.call('eth_getCode', [])).rejects.toThrow(/no response within 250 ms/);
  });

  test('does not keep a better one from being asked', async () => {
    const liar = await serve(text('{"id":1,"result":"hello"}'));
    const honest = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.end(answer(body.includes('eth_chainId') ? '0x7a69' : '0x6001'));
    });
    expect(await clientOf([liar, honest]).client.call('eth_getCode', [])).toBe('0x6001');
  });

  test('gives up at once when the caller does', async () => {
    const { client } = clientOf([await serve(() => {})]);
    await expect(client.call('eth_getCode', [], AbortSignal.abort())).rejects.toThrow(/aborted/);
  });
});

describe('a call that failed', () => {
  const replies: Readonly<Record<string, () => Response>> = {
    'http://down.test/': () => {
      throw new TypeError('fetch failed');
    },
    'http://refusing.test/': () =>
      new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } })),
  };

  test('is told with its reason, once for each endpoint', async () => {
    const { client, failures } = clientOf(Object.keys(replies), async (input, init) => {
      if (methodOf(init ?? {}) === 'eth_chainId') return new Response(answer('0x7a69'));
      return replies[String(input)]?.() ?? new Response('');
    });
    await expect(client.call('eth_getCode', [])).rejects.toThrow(ChainUnavailableError);
    expect(failures).toEqual(['unreachable', 'refused']);
  });

  test('of an endpoint of another chain is told as such', async () => {
    const { client, failures } = clientOf(['http://other.test/'], async () => new Response(answer('0x1')));
    await expect(client.call('eth_getCode', [])).rejects.toThrow(ChainUnavailableError);
    expect(failures).toContain('wrong_chain');
  });
});

describe('the order of endpoints', () => {
  test('prefers those that answered, but asks resting ones rather than nobody', async () => {
    const asked: string[] = [];
    const down = new Set(['http://a/']);
    const { client } = clientOf(['http://a/', 'http://b/'], async (url, init) => {
      if (methodOf(init) !== 'eth_chainId') asked.push(url);
      return down.has(url) ? new Response('', { status: 503 }) : new Response(answer('0x7a69'));
    });
    await client.call('eth_blockNumber', []);
    await client.call('eth_blockNumber', []);
    await client.call('eth_blockNumber', []);
    // The first failure rests for 0 s, the second for 10 s.
    expect(asked).toEqual(['http://a/', 'http://b/', 'http://a/', 'http://b/', 'http://b/']);
    down.clear();
    down.add('http://b/');
    expect(await client.call('eth_blockNumber', [])).toBe('0x7a69');
    expect(asked.slice(5)).toEqual(['http://b/', 'http://a/']);
  });

  test('rests longer after each failure in a row, at most a day', async () => {
    const asked: string[] = [];
    const { client, clock } = clientOf(['http://a/', 'http://b/'], async (url, init) => {
      if (methodOf(init) !== 'eth_chainId') asked.push(url);
      return url === 'http://a/' ? new Response('', { status: 503 }) : new Response(answer('0x7a69'));
    });
    for (const rest of [0, 10_000, 60_000, 600_000, 3_600_000, 86_400_000, 86_400_000]) {
      asked.length = 0;
      await client.call('eth_blockNumber', []);
      expect(asked).toEqual(['http://a/', 'http://b/']);
      clock.advance(Math.max(0, rest - 1));
      if (rest > 0) {
        asked.length = 0;
        await client.call('eth_blockNumber', []);
        expect(asked, `${rest} ms`).toEqual(['http://b/']);
        clock.advance(1);
      }
    }
  });

  test('continues after "not found" without a rest, and says so when nobody found it', async () => {
    const asked: string[] = [];
    const { client } = clientOf(['http://a/', 'http://b/'], async (url, init) => {
      if (methodOf(init) === 'eth_chainId') return new Response(answer('0x7a69'));
      asked.push(url);
      return new Response(answer(null));
    });
    expect(await client.call('eth_getTransactionByHash', [])).toBeNull();
    expect(await client.call('eth_getTransactionByHash', [])).toBeNull();
    expect(asked).toEqual(['http://a/', 'http://b/', 'http://a/', 'http://b/']);
  });
});

describe('the chain id of an endpoint', () => {
  test('is asked for once, beside the first call', async () => {
    const asked: string[] = [];
    const { client } = clientOf(['http://a/'], async (_url, init) => {
      asked.push(methodOf(init));
      return new Response(answer('0x7a69'));
    });
    for (let call = 0; call < 3; call++) await client.call('eth_blockNumber', []);
    expect(asked).toEqual(['eth_blockNumber', 'eth_chainId', 'eth_blockNumber', 'eth_blockNumber']);
  });

  test('keeps an endpoint of another chain out, reports it once, and is asked again later', async () => {
    let chainId = '0x1';
    const { client, wrong } = clientOf(
      ['http://a/'],
      async (_url, init) => new Response(answer(methodOf(init) === 'eth_chainId' ? chainId : '0x6001')),
    );
    await expect(client.call('eth_getCode', [])).rejects.toThrow('a: serves chain 1');
    await expect(client.call('eth_getCode', [])).rejects.toThrow('a: serves chain 1');
    const [tracing] = client.endpoints;
    if (tracing === undefined) throw new Error('there is one endpoint');
    await expect(client.callOne(tracing, 'eth_getCode', [])).rejects.toThrow('serves chain 1');
    expect(wrong).toEqual(['http://a/ 1']);
    chainId = '0x7a69';
    expect(await client.call('eth_getCode', [])).toBe('0x6001');
  });

  test('is asked again after a failure', async () => {
    const asked: string[] = [];
    let isDown = false;
    const { client } = clientOf(['http://a/'], async (_url, init) => {
      asked.push(methodOf(init));
      return isDown ? new Response('', { status: 500 }) : new Response(answer('0x7a69'));
    });
    await client.call('eth_blockNumber', []);
    isDown = true;
    await expect(client.call('eth_blockNumber', [])).rejects.toThrow('HTTP status 500');
    isDown = false;
    asked.length = 0;
    await client.call('eth_blockNumber', []);
    expect(asked).toContain('eth_chainId');
  });

  test('need not be told', async () => {
    const { client } = clientOf(['http://a/'], async (_url, init) =>
      methodOf(init) === 'eth_chainId'
        ? new Response('{"id":1,"error":{"code":-32601,"message":"method not found"}}')
        : new Response(answer('0x6001')),
    );
    expect(await client.call('eth_getCode', [])).toBe('0x6001');
  });
});
