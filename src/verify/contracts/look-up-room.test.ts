import { type ClientRequest, createServer, get, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BodyBudget } from '../../http/bodies/body-budget.ts';
import { ResponseMemoryBudget } from './look-up-contract.ts';

const MIB = 1_048_576;
/** Large answers may fill three quarters: two of 8 MiB that count four times. */
const LARGE = 8 * MIB;

let server: Server;
let clients: ClientRequest[];
let tick: () => void;

beforeEach(async () => {
  server = createServer();
  clients = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const each of clients) each.destroy();
  server.close();
});

function aRoom(patienceMs = 3_600_000) {
  return new ResponseMemoryBudget(
    new BodyBudget(100 * MIB),
    (each) => {
      tick = each;
      return () => {};
    },
    patienceMs,
  );
}

/** A request of a client that never reads. */
async function asked(): Promise<ServerResponse> {
  const { port } = server.address() as AddressInfo;
  const arrived = new Promise<ServerResponse>((resolve) =>
    server.once('request', (_, each) => resolve(each)),
  );
  const client = get({ port, host: '127.0.0.1', agent: false });
  client.on('error', () => {});
  clients.push(client);
  return arrived;
}

describe('ResponseMemoryBudget', () => {
  test('refuses what finds no room, without a limit for small answers', async () => {
    const room = aRoom(1);
    await room.enter(LARGE, await asked());
    await room.enter(LARGE, await asked());
    await expect(room.enter(LARGE, await asked())).rejects.toMatchObject({
      code: 'server_busy',
      retryAfterSeconds: 5,
    });
    expect(room.heldBytes).toBe(64 * MIB);
    await room.enter(1000, await asked());
  });

  test('lets the next one in when an answer was sent, and when its client is gone', async () => {
    const room = aRoom();
    const first = await asked();
    const second = await asked();
    await room.enter(LARGE, first);
    await room.enter(LARGE, second);
    const third = room.enter(LARGE, await asked());
    const fourth = room.enter(LARGE, await asked());
    first.end('sent');
    await third;
    second.destroy();
    await fourth;
    expect(room.heldBytes).toBe(64 * MIB);
  });

  test('takes the room of clients that do not read as soon as somebody waits for it', async () => {
    const room = aRoom();
    const slow = await asked();
    await room.enter(LARGE, slow);
    await room.enter(LARGE, await asked());
    const next = room.enter(LARGE, await asked());
    for (let second = 0; second < 10; second++) tick();
    expect(slow.destroyed).toBe(false);
    tick();
    expect(slow.destroyed).toBe(true);
    await next;
  });

  test('forgets a request whose client left before its turn', async () => {
    const room = aRoom();
    const first = await asked();
    await room.enter(LARGE, first);
    await room.enter(LARGE, await asked());
    const gone = await asked();
    const left = room.enter(LARGE, gone);
    gone.destroy();
    await expect(left).rejects.toMatchObject({ code: 'server_busy' });
    first.destroy();
    await room.enter(LARGE, await asked());
  });

  test('takes an answer of any size alone', async () => {
    const room = aRoom(1);
    await room.enter(LARGE * 100, await asked());
    // The largest share: half of the budget.
    expect(room.heldBytes).toBe(50 * MIB);
  });
});
