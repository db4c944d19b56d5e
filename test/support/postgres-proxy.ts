import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** Stands between a program and the PostgreSQL of a test, as a network that may drop packets. */
export interface PostgresProxy {
  /** Of the same database, through it. */
  readonly url: string;
  /** From now on nothing gets through on the connections that are open; new ones are as before. */
  hold(): void;
  /** Nor on new ones, until it is called with false. */
  holdNew(isHeld: boolean): void;
  /** Ends all connections, and each new one at once, until it is called with false. */
  vanish(isGone: boolean): void;
  /** What a client sends that has this text in it ends its connection, after the database has got it. */
  cutAfter(text: string | null): void;
  close(): Promise<void>;
}

const PORT_OF_SOCKET = 5432;

/** @param databaseUrl of a cluster that listens at a socket in a folder */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const url = new URL(databaseUrl.replace('@/', '@socket/'));
  const socket = join(url.searchParams.get('host') ?? '', `.s.PGSQL.${PORT_OF_SOCKET}`);
  const open = new Set<Pair>();
  let holdsNew = false;
  let isAway = false;
  let cutText: string | null = null;
  const cutAll = () => {
    for (const { far, near } of open) {
      near.destroy();
      far.destroy();
    }
  };
  const server = createServer((near) => {
    if (isAway) return void near.destroy();
    const far = createConnection(socket);
    const pair: Pair = { near, far, isHeld: holdsNew };
    open.add(pair);
    near.on('data', (bytes) => {
      if (pair.isHeld) return;
      const isLast = cutText !== null && bytes.includes(cutText);
      if (!isLast) return void far.write(bytes);
      // What it answers does not come back.
      pair.isHeld = true;
      far.write(bytes, () => setTimeout(() => near.destroy(), CUT_AFTER_MS));
    });
    far.on('data', (bytes) => {
      if (!pair.isHeld) near.write(bytes);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => undefined);
      // Of the end of one that is held the other side hears nothing.
      one.on('close', () => {
        if (!pair.isHeld) other.destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://ledgerlens@127.0.0.1:${port}${url.pathname}`,
    hold() {
      for (const pair of open) pair.isHeld = true;
    },
    holdNew(isHeld) {
      holdsNew = isHeld;
    },
    vanish(isGone) {
      isAway = isGone;
      if (isGone) cutAll();
    },
    cutAfter(text) {
      cutText = text;
    },
    async close() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Time for the database to do what it was sent. */
const CUT_AFTER_MS = 100;

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  isHeld: boolean;
}
