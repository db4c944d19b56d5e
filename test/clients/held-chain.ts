import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A way to a chain's JSON-RPC endpoint on which requests can be made to wait. */
export interface HeldChain {
  readonly url: string;
  /** From now on requests wait. @returns lets them continue. */
  hold(): () => void;
  close(): Promise<void>;
}

/** Puts a way before an endpoint, so that a test can keep a verification unfinished. */
export async function startHeldChain(endpoint: string): Promise<HeldChain> {
  let released = Promise.resolve();
  const server = createServer(async (request, answer) => {
    const body = new Uint8Array(await buffer(request));
    await released;
    const headers = { 'content-type': 'application/json' };
    const forwarded = await fetch(endpoint, { method: 'POST', headers, body });
    answer.setHeader('content-type', 'application/json').end(await forwarded.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold() {
      let release = () => {};
      released = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
