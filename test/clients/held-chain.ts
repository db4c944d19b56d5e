import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A way to a chain's JSON-RPC endpoint on which requests wait until they are released. */
export interface HeldChain {
  readonly url: string;
  release(): void;
  close(): Promise<void>;
}

/** Puts a held way before an endpoint, so that a verification that needs it stays unfinished. */
export async function holdChain(endpoint: string): Promise<HeldChain> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer(async (request, answer) => {
    const body = await buffer(request);
    await released;
    const forwarded = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array(body),
    });
    answer.setHeader('content-type', 'application/json').end(await forwarded.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
