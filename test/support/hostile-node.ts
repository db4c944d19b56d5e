import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** Half a gigabyte in half a megabyte, packed once: that takes longer than any answer may. */
const BOMB = gzipSync(Buffer.alloc(536_870_912, '60'));

/** How a node may misbehave; the name is the path under which it does. */
export const HOSTILE_ANSWERS = {
  hang: () => {},
  drip: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  },
  endless: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"jsonrpc":"2.0","id":1,"result":"0x');
    const chunk = Buffer.alloc(1_048_576, '60');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  },
  bomb: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(BOMB);
  },
  redirect: (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
  cut: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"jsonrpc":"2.0"');
    setImmediate(() => response.destroy());
  },
  page: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>gateway</html>'),
  list: (response) => answerJson(response, []),
  number: (response) => answerJson(response, { jsonrpc: '2.0', id: 1, result: 7 }),
  odd: (response) => answerJson(response, { jsonrpc: '2.0', id: 1, result: '0x123' }),
  words: (response) => answerJson(response, { jsonrpc: '2.0', id: 1, result: 'code' }),
  error: (response) => answerJson(response, { jsonrpc: '2.0', id: 1, error: { code: 'x', message: {} } }),
  refused: (response) => response.writeHead(503).end(),
} as const satisfies Readonly<Record<string, (response: ServerResponse) => void>>;

/** A node that answers every request as its path says. */
export interface HostileNode {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the node on a free port of the loopback address. */
export async function startHostileNode(): Promise<HostileNode> {
  const server = createServer((request, response) => {
    const kind = (request.url ?? '').slice(1) as keyof typeof HOSTILE_ANSWERS;
    request.resume();
    // The client gives up in the middle of most answers.
    response.on('error', () => {});
    HOSTILE_ANSWERS[kind](response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answerJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
