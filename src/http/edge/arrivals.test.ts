import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Arrivals } from './arrivals.ts';
import { createEdgeServer } from './edge-server.ts';
import { Turns } from './turns.ts';
import { UnsentAnswers } from './unsent-answers.ts';

class ASocket extends EventEmitter {
  destroyed = false;
  readonly name: string;
  readonly remoteAddress: string;
  isRead = true;
  constructor(name: string) {
    super();
    this.name = name;
    this.remoteAddress = `10.0.0.${name.charCodeAt(0) - 96}`;
  }
  pause(): void {
    this.isRead = false;
  }
  resume(): void {
    this.isRead = true;
  }
}

/** Arrivals whose clock and event loop the test moves. A name begins with the letter of its client. */
function someArrivals() {
  const state = { now: 0, room: 1000, isHeld: false };
  const calls: (() => void)[] = [];
  const arrivals = new Arrivals({
    turns: { hold: () => (state.isHeld = true), goOn: () => (state.isHeld = false) } as never,
    room: () => state.room,
    clock: { now: () => state.now, afterReading: (call) => calls.push(call) },
  });
  const sockets: ASocket[] = [];
  return {
    state,
    come(...names: readonly string[]): void {
      for (const name of names) {
        const socket = new ASocket(name);
        sockets.push(socket);
        arrivals.take(socket as unknown as Socket);
      }
    },
    leave(name: string): void {
      for (const socket of sockets) if (socket.name === name) socket.destroyed = true;
    },
    /** Passes through the event loop once. @returns the names of all that are read. */
    async pass(): Promise<string> {
      await setImmediate();
      for (const call of calls.splice(0)) call();
      return sockets.flatMap(({ isRead, name }) => (isRead ? [name] : [])).join(' ');
    },
    get isQuiet(): boolean {
      return calls.length === 0;
    },
  };
}

test('the only one that comes is read at once, and work waits until no other one has come', async () => {
  const { come, pass, state } = someArrivals();
  come('a1');
  expect([state.isHeld, await pass()]).toEqual([true, 'a1']);
  expect([state.isHeld, await pass()]).toEqual([true, 'a1']);
  expect(state.isHeld).toBe(false);
});

test('while others come, those that came are not read, and nothing else is done', async () => {
  const arrivals = someArrivals();
  for (const name of ['a1', 'a2', 'a3', 'a4']) {
    arrivals.come(name);
    expect([await arrivals.pass(), arrivals.state.isHeld]).toEqual(['a1', true]);
  }
  expect([await arrivals.pass(), arrivals.state.isHeld]).toEqual(['a1 a2 a3 a4', false]);
  expect(arrivals.isQuiet).toBe(true);
});

test('however many come, those that came are read after a while, and work is done for as long', async () => {
  const { come, pass, state } = someArrivals();
  for (let index = 0; index < 11; index += 1) {
    come(`a${index}`);
    await pass();
    state.now += 10;
  }
  come('b');
  expect([state.isHeld, await pass()]).toEqual([true, 'a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 b']);
  expect(state.isHeld).toBe(false);
  state.now += 109;
  come('c');
  expect([state.isHeld, (await pass()).endsWith(' c')]).toEqual([false, true]);
  state.now += 1;
  come('d');
  expect(state.isHeld).toBe(true);
});

test('they are read as there is room for their requests, clients in turn, without those that left', async () => {
  const { come, leave, pass, state } = someArrivals();
  state.room = 0;
  come('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
  leave('a2');
  for (let passes = 0; passes < 5; passes += 1) expect(await pass()).toBe('');
  expect(state.isHeld).toBe(false);
  state.room = 2;
  expect(await pass()).toBe('a1 b1');
  expect(await pass()).toBe('a1 a3 b1 c1');
  expect(await pass()).toBe('a1 a3 b1 b2 c1');
});

test('one that comes when there is no room waits as well', async () => {
  const { come, pass, state } = someArrivals();
  for (state.now = 0; state.now <= 110; state.now += 10) {
    come(`a${state.now}`);
    await pass();
  }
  state.room = 0;
  come('b');
  expect((await pass()).split(' ')).not.toContain('b');
  state.room = 1;
  expect((await pass()).split(' ')).toContain('b');
});

test('on real sockets every request of hundreds that come at once is answered, whole', async () => {
  let room = 1;
  const arrivals = new Arrivals({ turns: new Turns(), room: () => room });
  const server: Server = createEdgeServer(
    async (request, response) => void response.end(await text(request)),
    { keepAliveTimeout: 5000, requestTimeout: 5000 },
    { unsent: new UnsentAnswers(), arrivals },
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bodies = Array.from({ length: 300 }, (_, index) => `${index} `.repeat(index * 20));
  const answers = bodies.map(async (body, index) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const { length } = body;
    socket.write(
      `POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n${body}`,
    );
    if (index === 150) room = 1000;
    return (await text(socket)).split('\r\n\r\n')[1];
  });
  expect(await Promise.all(answers)).toEqual(bodies);
});
