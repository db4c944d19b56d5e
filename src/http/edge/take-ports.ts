import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { cannotListen } from './cannot-listen.ts';

/** Ports that nobody else gets until an application listens there. */
export interface TakenPorts {
  /** In the order asked for; a 0 has become the port that the system chose. */
  readonly numbers: readonly number[];
  /** Frees one right before it is listened to. */
  release(port: number): Promise<void>;
}

/**
 * Lets the system choose a port for each 0, since an application is made with its address; others are left as they are.
 *
 * @throws LedgerlensError `cannot_listen` when the host has none.
 */
export async function takePorts(host: string, ports: readonly number[]): Promise<TakenPorts> {
  const held = new Map<number, Server>();
  const numbers: number[] = [];
  for (const port of ports) {
    if (port === 0) {
      const server = await cannotListen(port, () => hold(host));
      const { port: chosen } = server.address() as AddressInfo;
      held.set(chosen, server);
      numbers.push(chosen);
    } else {
      numbers.push(port);
    }
  }
  return {
    numbers,
    async release(port) {
      const server = held.get(port);
      held.delete(port);
      if (server !== undefined) await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function hold(host: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen({ host, port: 0 });
  await once(server, 'listening');
  // What fails between here and listening ends the process all the same.
  return server.unref();
}
