import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSelfSignedIdentity } from './self-signed-certificate.ts';

/** A stand-in for a host of the internet, behind a proxy that lets clients reach nothing else. */
export interface ProxiedHost {
  readonly proxyUrl: string;
  /** PEM text that clients must trust. */
  readonly certificate: string;
  /** Every host and path that was asked for, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Starts the proxy; `answer` is the host behind it. */
export async function startProxiedHost(hostName: string, answer: RequestListener): Promise<ProxiedHost> {
  const { key, certificate } = createSelfSignedIdentity(hostName);
  const asked: string[] = [];
  const host = createTlsServer({ key, cert: certificate }, (request, response) => {
    asked.push(`${hostName}${request.url}`);
    answer(request, response);
  });
  const tunnels = new Set<Duplex>();
  const proxy = createHttpServer((request, response) => {
    asked.push(String(request.url));
    response.writeHead(403).end();
  });
  proxy.on('connect', (request, socket) => {
    if (request.url !== `${hostName}:443`) {
      asked.push(String(request.url));
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    tunnels.add(socket);
    // A client that exits resets its tunnel.
    socket.on('error', () => undefined).on('close', () => tunnels.delete(socket));
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    host.emit('connection', socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    proxyUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    certificate,
    asked,
    async close() {
      for (const socket of tunnels) socket.destroy();
      proxy.close();
      proxy.closeAllConnections();
      await once(proxy, 'close');
    },
  };
}
