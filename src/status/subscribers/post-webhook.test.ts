import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSelfSignedIdentity } from '../../../test/clients/self-signed-certificate.ts';
import { createPostWebhook, PrivateAddressError, type ResolveName } from './post-webhook.ts';

const NEVER = new AbortController().signal;
const nobody: ResolveName = async (name) => Promise.reject(new Error(`${name} was asked for`));
const post = createPostWebhook({ resolve: nobody, allowsPrivate: true });
const strictPost = createPostWebhook({ resolve: nobody, allowsPrivate: false });

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function receiver(answer: RequestListener) {
  const server = createServer(answer);
  const port = await listen(server);
  return { port, url: `http://127.0.0.1:${port}/hook?key=1` };
}

/** A receiver that says on the wire what it is told to. */
async function wire(text: string): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(text));
    onTestFinished(() => void socket.destroy());
  });
  return `http://127.0.0.1:${await listen(server)}/`;
}

const aRequest = (url: string) => ({ url, headers: { 'X-Mark': 'a' }, body: Buffer.from('{"é":1}') });

describe('createPostWebhook', () => {
  test('posts the bytes and headers that it is given, and tells the status', async () => {
    const seen: unknown[] = [];
    const { url } = await receiver((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url: path, headers } = request;
        seen.push([
          method,
          path,
          headers['x-mark'],
          headers['content-length'],
          String(Buffer.concat(chunks)),
        ]);
        response.writeHead(204).end();
      });
    });
    expect(await post(aRequest(url), NEVER)).toBe(204);
    expect(seen).toEqual([['POST', '/hook?key=1', 'a', '8', '{"é":1}']]);
  });

  test('follows no redirect', async () => {
    const paths: unknown[] = [];
    const { url, port } = await receiver((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
    });
    expect(await post(aRequest(url), NEVER)).toBe(307);
    expect(paths).toEqual(['/hook?key=1']);
  });

  test('reads no more than a little of an endless answer', async () => {
    let isClosed = false;
    const { url } = await receiver((_request, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(8192)));
      };
      response.on('drain', more).on('close', () => {
        isClosed = true;
      });
      more();
    });
    expect(await post(aRequest(url), NEVER)).toBe(200);
    await expect.poll(() => isClosed).toBe(true);
  });

  test('counts a status whose answer is cut off', async () => {
    const { url } = await receiver((_request, response) => {
      response.writeHead(202, { 'Content-Length': '10' });
      response.write('abc', () => response.destroy());
    });
    expect(await post(aRequest(url), NEVER)).toBe(202);
  });

  test('ends when it is told to, while nothing is answered', async () => {
    const ending = new AbortController();
    const { url } = await receiver(() => ending.abort());
    await expect(post(aRequest(url), ending.signal)).rejects.toThrow('aborted');
  });

  test.each([
    ['what is no HTTP', 'SSH-2.0-x\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
  ])('fails at an answer of %s', async (_what, text) => {
    const url = await wire(text);
    await expect(post(aRequest(url), NEVER)).rejects.toThrow(Error);
  });

  test('fails when nobody listens, and when a server without TLS is asked for it', async () => {
    const { port } = await receiver((_request, response) => void response.end());
    await expect(post(aRequest(`https://127.0.0.1:${port}/`), NEVER)).rejects.toThrow(Error);
    await expect(post(aRequest('http://127.0.0.1:1/'), NEVER)).rejects.toThrow('ECONNREFUSED');
  });
});

test('a server whose certificate nobody vouches for gets nothing', async () => {
  const { key, certificate } = createSelfSignedIdentity('hooks.example.org');
  let requests = 0;
  const port = await listen(
    createSecureServer({ key, cert: certificate }, (_request, response) => {
      requests += 1;
      response.end();
    }),
  );
  const resolve: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }];
  const open = createPostWebhook({ resolve, allowsPrivate: true });
  await expect(open(aRequest(`https://hooks.example.org:${port}/`), NEVER)).rejects.toThrow('certificate');
  expect(requests).toBe(0);
});

describe('private addresses', () => {
  test.each(['127.0.0.1', '10.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433'])(
    'are not connected to when the URL holds one: %s',
    async (host) => {
      const request = aRequest(`http://${host}:9/`);
      await expect(strictPost(request, NEVER)).rejects.toThrow(PrivateAddressError);
    },
  );

  test('are not connected to when a name leads there, however often it changes its mind', async () => {
    let requests = 0;
    const { port } = await receiver((_request, response) => {
      requests += 1;
      response.end();
    });
    const answers = ['127.0.0.1', '::1', '10.0.0.1'];
    const resolve: ResolveName = async () => {
      const address = answers.shift() ?? '127.0.0.1';
      return [{ address, family: address.includes(':') ? 6 : 4 }];
    };
    const guarded = createPostWebhook({ resolve, allowsPrivate: false });
    for (let time = 0; time < 3; time += 1) {
      const request = aRequest(`http://rebinding.example.org:${port}/`);
      await expect(guarded(request, NEVER)).rejects.toThrow('STATUS_WEBHOOK_PRIVATE=on');
    }
    expect([requests, answers]).toEqual([0, []]);
  });

  test('are connected to by name when the operator allows it', async () => {
    const { port } = await receiver((_request, response) => void response.writeHead(200).end());
    const resolve: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }];
    const open = createPostWebhook({ resolve, allowsPrivate: true });
    expect(await open(aRequest(`http://hooks.example.org:${port}/`), NEVER)).toBe(200);
  });

  test('a name without an address is a failure', async () => {
    await expect(strictPost(aRequest('http://hooks.example.org/'), NEVER)).rejects.toThrow('was asked for');
  });
});
