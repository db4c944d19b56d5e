import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Answers one path of a loopback server; bytes are sent as they are. */
export type LoopbackAnswer =
  | string
  | Uint8Array
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** A server for tests that download. */
export interface LoopbackServer {
  readonly url: string;
  /** Answers by decoded path; any other path is 404. May be changed at any time. */
  readonly answers: Map<string, LoopbackAnswer>;
  /** What was asked for, in order. */
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/** Starts a server on a free port of the loopback interface. */
export async function startLoopbackServer(): Promise<LoopbackServer> {
  const answers = new Map<string, LoopbackAnswer>();
  const requests: LoopbackServer['requests'][number][] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push({ path, authorization: request.headers.authorization });
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404).end('not here');
    else if (typeof answer === 'function') answer(request, response);
    else response.end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    answers,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
