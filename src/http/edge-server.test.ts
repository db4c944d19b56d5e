import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createEdgeServer } from './edge-server.ts';

test.each([
  ['is answered meanwhile gets no 100 in or behind its answer', true, ['200', '/first', '200', '/second']],
  ['waits itself gets the 100 before its answer', false, ['200', '/first', '100', '200', '/second']],
])(
  'a request with an expectation that waits behind another and %s',
  async (_, isAnsweredMeanwhile, expected) => {
    let answerFirst = () => {};
    const server = createEdgeServer(
      (request, response) => {
        const answer = () => response.end(Buffer.from(`answer to ${request.url}`));
        if (request.url === '/first') {
          answerFirst = answer;
          return;
        }
        if (isAnsweredMeanwhile) answer();
        else response.once('socket', () => setImmediate(answer));
        answerFirst();
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
      expect(parts.map(([, status, path]) => status ?? path)).toEqual(expected);
    } finally {
      server.close();
    }
  },
);
