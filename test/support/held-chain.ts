import { createServer, type Server } from 'node:http';

/** A JSON-RPC node that lets callers wait until it is released, so that a job stays pending. */
export interface HeldChain {
  readonly url: string;
  /** True as soon as anybody called. */
  wasAsked(): boolean;
  release(): void;
  close(): Promise<void>;
}

/** Starts it; once released, every address has the given code. */
export async function startHeldChain(runtimeBytecode: string): Promise<HeldChain> {
  let isHeld = true;
  let wasAsked = false;
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      wasAsked = true;
      if (isHeld) return;
      const { id, method } = JSON.parse(text) as { id: number; method: string };
      const result = method === 'eth_getCode' ? runtimeBytecode : null;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/`,
    wasAsked: () => wasAsked,
    release: () => {
      isHeld = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
