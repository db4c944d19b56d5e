import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../threads/small-nursery.ts';
import { ConnectionBudget } from './connection-budget.ts';
import { rememberAnswer } from './newest-answer.ts';
import { followConnections } from './open-connections.ts';

/** The connections of a server with so many places, which are busy once a request came that is not answered. */
function aServer(places: number) {
  const server = new EventEmitter();
  const budget = new ConnectionBudget(places);
  followConnections(server as Server, { budget });
  let looks = 0;
  const connect = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      destroyed: false,
      destroy: () => Object.assign(socket, { destroyed: true }),
    });
    server.emit('connection', socket);
    return socket;
  };
  const busy = (remoteAddress: string) => {
    const socket = connect(remoteAddress);
    const response = {
      isOver: false,
      get writableFinished() {
        looks += 1;
        return response.isOver;
      },
    };
    rememberAnswer(socket as never, response as never);
    return Object.assign(socket, { answer: () => Object.assign(response, { isOver: true }) });
  };
  const isCrowded = (socket: object) => budget.isCrowded(socket as Socket);
  const looksOf = (run: () => void) => {
    looks = 0;
    run();
    return looks;
  };
  return { budget, connect, busy, isCrowded, looksOf };
}

const ended = (sockets: readonly { readonly destroyed: boolean }[]) =>
  sockets.flatMap(({ destroyed }, index) => (destroyed ? [index] : []));

test('two clients with half of the places each give way to a third, and end nothing that it has', () => {
  const { busy, connect, isCrowded } = aServer(16);
  const kept = connect('10.0.0.3');
  const halves = Array.from({ length: 11 }, (_, index) => busy(`10.0.0.${1 + (index % 2)}`));
  for (const client of ['10.0.0.1', '10.0.0.2']) expect(isCrowded(busy(client))).toBe(true);
  expect([kept.destroyed, ended(halves)]).toEqual([false, []]);
  // Its own idle connection ends first, then a busy one of the client that has most.
  const third = [busy('10.0.0.3'), busy('10.0.0.3')];
  expect([third.map(isCrowded), kept.destroyed, ended(halves)]).toEqual([[false, false], true, [0]]);
});

test('a proxy with less than a quarter of the places loses none of its requests', () => {
  const { busy, isCrowded } = aServer(40);
  const [proxied, others] = [7, 23].map((count, at) =>
    Array.from({ length: count }, (_, index) => busy(at === 0 ? '10.0.1.1' : `10.0.0.${index}`)),
  );
  expect(isCrowded(busy('10.0.2.1'))).toBe(true);
  expect([ended(proxied ?? []), ended(others ?? [])]).toEqual([[], []]);
});

test('while a place is free, nothing ends, whoever is in the last ones', () => {
  const { budget, busy, connect } = aServer(8);
  const others = Array.from({ length: 7 }, (_, index) => busy(`10.0.0.${1 + (index % 3)}`));
  others[1]?.answer();
  others[0]?.emit('close');
  connect('10.0.0.4');
  expect([budget.open, ended(others)]).toEqual([7, []]);
});

test('for one place one connection ends', () => {
  const { budget, busy, connect, isCrowded } = aServer(8);
  const most = Array.from({ length: 6 }, () => busy('10.0.0.1'));
  const idle = connect('10.0.0.1');
  const other = busy('10.0.0.2');
  expect([budget.open, isCrowded(other), budget.open]).toEqual([8, false, 7]);
  expect([idle.destroyed, ended(most)]).toEqual([false, [0]]);
});

test('a connection looks at a bounded number of others, and thousands find the one that may end', () => {
  const { busy, looksOf } = aServer(4000);
  const all = Array.from({ length: 4000 }, (_, index) => busy(`10.${index % 100}.0.1`));
  expect(looksOf(() => busy('10.0.0.2'))).toBeLessThanOrEqual(512 + 32);
  all[3000]?.answer();
  for (let index = 0; index < 8; index += 1) busy(`10.1.${index}.2`);
  expect(ended(all)).toEqual([3000]);
});

test('connections that closed are not kept, however many came and went', async () => {
  const { connect } = aServer(1000);
  const seen: WeakRef<object>[] = [];
  for (let round = 0; round < 20; round += 1) {
    const sockets = Array.from({ length: 50 }, () => connect('10.0.0.1'));
    for (const socket of sockets) {
      seen.push(new WeakRef(socket));
      socket.emit('close');
    }
  }
  // A reference that was just made holds until the end of the turn.
  await setImmediate();
  collectGarbage();
  expect(seen.filter((each) => each.deref() !== undefined).length).toBeLessThan(100);
});
