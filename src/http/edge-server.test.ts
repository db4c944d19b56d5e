import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createEdgeServer } from './edge-server.ts';

test('a client that waits to send its body behind another request is told to continue before its answer', async () => {
  const first = { answer: () => {} };
  const server = createEdgeServer(
    (request, response) => {
      const answer = () => response.end(Buffer.from(`answer to ${request.url}`));
      if (request.url === '/first') {
        first.answer = answer;
        return;
      }
      answer();
      // Only now: the second one is complete and waits.
      first.answer();
    },
    { keepAliveTimeout: 1000, requestTimeout: 1000 },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as { port: number };
    const socket = connect({ host: '127.0.0.1', port });
    const head = 'HTTP/1.1\r\nhost: a\r\nconnection: ';
    socket.write(
      `GET /first ${head}keep-alive\r\n\r\nGET /second ${head}close\r\nexpect: 100-continue\r\n\r\n`,
    );
    const parts = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d{3})|answer to (\/first|\/second)/g)];
    expect(parts.map(([, status, path]) => status ?? path)).toEqual([
      '200',
      '/first',
      '100',
      '200',
      '/second',
    ]);
  } finally {
    server.close();
  }
});
