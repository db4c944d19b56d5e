import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSelfSignedIdentity } from './self-signed-certificate.ts';

const HOST_NAME = 'binaries.soliditylang.org';

/** A stand-in for the host of compiler releases, behind a proxy that lets clients reach nothing else. */
export interface CompilerHost {
  readonly proxyUrl: string;
  /** PEM text that clients must trust. */
  readonly certificate: string;
  /** Every host and path that was asked for, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Starts the proxy; the host behind it answers `/bin/list.txt` with the given compiler and 404 otherwise. */
export async function startCompilerHost(compilerVersion: string): Promise<CompilerHost> {
  const { key, certificate } = createSelfSignedIdentity(HOST_NAME);
  const asked: string[] = [];
  const host = createTlsServer({ key, cert: certificate }, (request, answer) => {
    asked.push(`${HOST_NAME}${request.url}`);
    answer.statusCode = request.url === '/bin/list.txt' ? 200 : 404;
    answer.end(request.url === '/bin/list.txt' ? `soljson-v${compilerVersion}.js\n` : '');
  });
  const tunnels = new Set<Duplex>();
  const proxy = createHttpServer((request, answer) => {
    asked.push(String(request.url));
    answer.writeHead(403).end();
  });
  proxy.on('connect', (request, socket) => {
    if (request.url !== `${HOST_NAME}:443`) {
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
