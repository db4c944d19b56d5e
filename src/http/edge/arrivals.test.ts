import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { Arrivals } from './arrivals.ts';
import { createEdgeServer } from './edge-server.ts';
import { listen } from './listeners.ts';
import { rememberAnswer } from './newest-answer.ts';
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
  pause(): this {
    this.isRead = false;
    return this;
  }
  resume(): void {
    this.isRead = true;
  }
  isPaused(): boolean {
    return !this.isRead;
  }
}

/** Arrivals whose clock and event loop the test moves. A name begins with the letter of its client. */
function someArrivals() {
  const state = { now: 0, room: 1000, isHeld: false, mayHold: true };
  const calls: (() => void)[] = [];
  const arrivals = new Arrivals({
    turns: {
      hold: () => (state.isHeld = state.mayHold),
      goOn: () => {
        state.isHeld = false;
      },
    },
    room: () => state.room,
    clock: { now: () => state.now, afterReading: (call) => calls.push(call) },
  });
  const sockets: ASocket[] = [];
  const named = (name: string) => sockets.find((socket) => socket.name === name) ?? expect.fail(name);
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
      Object.assign(named(name), { destroyed: true }).emit('close');
    },
    named,
    hasRead: (name = 'a1') => arrivals.hasRead(named(name) as unknown as Socket),
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
  await arrivals.pass();
  expect(arrivals.isQuiet).toBe(true);
});

test('however many come, those that came are read after a while', async () => {
  const { come, pass, state } = someArrivals();
  for (let index = 0; index < 11; index += 1) {
    come(`a${index}`);
    expect(await pass()).toBe('a0');
    state.now += 4;
  }
  come('b');
  expect([state.isHeld, await pass()]).toEqual([true, 'a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 b']);
  expect(state.isHeld).toBe(false);
});

test('while work may not be held, those that come are read', async () => {
  const { come, pass, state } = someArrivals();
  state.mayHold = false;
  for (const name of ['a1', 'a2']) {
    come(name);
    expect(state.isHeld).toBe(false);
  }
  expect(await pass()).toBe('a1 a2');
  state.mayHold = true;
  come('a3');
  expect(state.isHeld).toBe(true);
});

test('they are read as there is room for their requests, but one at least, clients in turn, without those that left', async () => {
  const { come, leave, pass, state } = someArrivals();
  state.room = 2;
  come('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
  leave('a2');
  expect([await pass(), state.isHeld]).toEqual(['a1', true]);
  expect([await pass(), state.isHeld]).toEqual(['a1 a3 b1', false]);
  state.room = -5;
  expect(await pass()).toBe('a1 a3 b1 c1');
  expect(await pass()).toBe('a1 a3 a4 b1 c1');
  expect(await pass()).toBe('a1 a3 a4 b1 b2 c1');
});

test('not all are read together, however much room there is', async () => {
  const { come, pass } = someArrivals();
  come('a', ...Array.from({ length: 70 }, () => 'b'));
  await pass();
  expect((await pass()).split(' ')).toHaveLength(65);
  expect((await pass()).split(' ')).toHaveLength(71);
});

/** Connections that were all read. */
async function readArrivals(...names: readonly string[]) {
  const arrivals = someArrivals();
  arrivals.come(...names);
  while (!arrivals.isQuiet) await arrivals.pass();
  /** So many requests on one of them in a pass, of which the last is read as many milliseconds after the first. */
  const read = (name: string, { ms = 11, requests = 129 } = {}) => {
    for (let index = 1; index < requests; index += 1) arrivals.hasRead(name);
    arrivals.state.now += ms;
    arrivals.hasRead(name);
  };
  return { ...arrivals, read };
}

test.each([
  ['few requests', { requests: 128 }],
  ['requests that are read fast', { ms: 5 }],
])('%s in a pass change nothing', async (_, requests) => {
  const { pass, read, state } = await readArrivals('a1', 'a2');
  state.room = 1;
  read('a1', requests);
  expect(await pass()).toBe('a1 a2');
  expect(await pass()).toBe('a1 a2');
});

test('where many requests make a pass long, all connections wait, then they are read again, clients in turn', async () => {
  const { leave, pass, read, state } = await readArrivals(...['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1']);
  state.room = 2;
  // Neither counts in the next one.
  read('a1', { ms: 5 });
  expect(await pass()).toBe('a1 a2 a3 a4 a5 a6 b1');
  read('a1', { requests: 128 });
  expect(await pass()).toBe('a1 a2 a3 a4 a5 a6 b1');
  read('a1');
  leave('a2');
  expect(await pass()).toBe('a1 b1');
  expect(await pass()).toBe('a1 a3 a4 b1');
  expect(await pass()).toBe('a1 a3 a4 a5 a6 b1');
});

test('fewer are read together after a long pass, new ones among them, and more again after short ones', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `a${index}`);
  const { come, pass, read } = await readArrivals(...names);
  const count = async () => (await pass()).split(' ').filter((name) => name !== '').length;
  read('a1');
  // What else was in the bytes that had come.
  read('a1');
  expect(await count()).toBe(64);
  read('a1');
  // What is left of them is more than half as many.
  expect(await count()).toBe(62);
  come(...Array.from({ length: 50 }, () => 'a-new'));
  // A pass in which they come and one in which no more does.
  await pass();
  expect((await pass()).split(' ').filter((name) => name === 'a-new')).toHaveLength(6);
  expect((await pass()).split(' ').filter((name) => name === 'a-new')).toHaveLength(14);
});

test('a connection whose turn a long pass cut off is read first in the next one, once', async () => {
  const { come, pass, read, state } = await readArrivals('a1');
  state.room = 2;
  come('a2');
  come('a3', 'a4', 'a5', 'a6');
  await pass();
  expect(await pass()).toBe('a1 a2 a3 a4');
  read('a3');
  state.room = 1;
  expect(await pass()).toBe('a1 a4 a5');
  read('a5');
  // It sent nothing in its second turn either.
  expect(await pass()).toBe('a1 a2 a6');
  expect(await pass()).toBe('a1 a2 a3 a6');
  expect(await pass()).toBe('a1 a2 a3 a4 a6');
});

test('those whose turn was cut off keep their order, and what came after others had sent nothing', async () => {
  const { pass, read, state } = await readArrivals('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8');
  read('a1');
  state.room = 4;
  expect(await pass()).toBe('a1 a2 a3 a4');
  read('a2');
  // a1 had sent nothing; a3 and a4 are still before the others.
  state.room = 1;
  expect(await pass()).toBe('a3 a4 a5');
  read('a4');
  expect(await pass()).toBe('a5 a6');
});

test.each([
  [20, ['a-1', 'b-1']],
  [100, []],
])('beside %i whose turn was cut off a few new ones are read, or none', async (count, first) => {
  const names = Array.from({ length: count }, (_, index) => `a${index}`);
  const { come, pass, read } = await readArrivals(...names);
  read('a1');
  await pass();
  read('a1');
  come('a-1', 'a-2', 'a-3', 'b-1', 'b-2');
  await pass();
  const newOnes = async () => (await pass()).split(' ').filter((name) => name.includes('-'));
  expect(await newOnes()).toEqual(first);
  expect(await newOnes()).toEqual(['a-1', 'a-2', 'a-3', 'b-1', 'b-2']);
});

test('what others do not read, read again, or is about to be received is left alone', async () => {
  const { named, pass, read } = await readArrivals('a1', 'a2', 'a3', 'a4');
  named('a1').pause();
  rememberAnswer(named('a4') as never, { req: { complete: false } } as never);
  read('a1');
  expect(named('a4').isRead).toBe(true);
  named('a2').resume();
  await pass();
  expect(await pass()).toBe('a2 a3 a4');
});

/** A server on two ports; what it takes from the event loop waits for the test. */
async function aServer() {
  const calls: (() => void)[] = [];
  const arrivals = new Arrivals({
    turns: new Turns(),
    room: () => 1000,
    clock: { now: () => 0, afterReading: (call) => calls.push(call) },
  });
  const seen: string[] = [];
  const app = Fastify({
    serverFactory: (route) =>
      createEdgeServer(
        route,
        { keepAliveTimeout: 5000, requestTimeout: 5000 },
        { unsent: new UnsentAnswers(), arrivals },
      ),
  });
  app.get('/:name', async ({ params }) => seen.push((params as { readonly name: string }).name));
  const listeners = await listen(app, { host: '127.0.0.1', ports: [0, 0], lastRequestMs: 0 });
  onTestFinished(() => listeners.close());
  return {
    seen,
    pass: () => {
      for (const call of calls.splice(0)) call();
    },
    come: async (port: number, name: string) => {
      const before = listeners.taken;
      const socket = connect(listeners.ports[port] ?? 0, '127.0.0.1');
      socket.write(`GET /${name} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
      while (listeners.taken === before) await setImmediate();
      await pause(20);
      return text(socket);
    },
  };
}

test('on real sockets of every port nothing is read of those that came, until all have come', async () => {
  const { come, pass, seen } = await aServer();
  const answers = [];
  for (const [port, name] of [
    [0, 'first'],
    [0, 'second'],
    [1, 'other'],
  ] as const) {
    answers.push(come(port, name));
    await pause(50);
  }
  expect(seen).toEqual(['first']);
  pass();
  await pause(20);
  expect(seen).toEqual(['first']);
  pass();
  await Promise.all(answers);
  expect(seen).toEqual(['first', 'second', 'other']);
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

test('on real sockets, once one sends requests behind others, one request of each is parsed at a time', async () => {
  const arrivals = new Arrivals({ turns: new Turns(), room: () => 1000 });
  /** Requests that were parsed before the answer to another one of their connection was sent. */
  let behind = 0;
  const server: Server = createEdgeServer(
    (request, response) => {
      if (response.socket === null) behind += 1;
      arrivals.hasRead(request.socket, response.socket === null);
      globalThis.setImmediate(() => response.end(`<${request.url}>`));
    },
    { keepAliveTimeout: 5000, requestTimeout: 5000 },
    { unsent: new UnsentAnswers(), arrivals },
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const wave = Array.from({ length: 20 }, (_, index) => `GET /${index} HTTP/1.1\r\nhost: a\r\n\r\n`).join('');
  const answered = (socket: Socket): Promise<void> =>
    new Promise((resolve) => {
      let answers = '';
      const take = (piece: Buffer): void => {
        answers += piece.toString();
        if (answers.match(/<\/\d+>/g)?.length !== 20) return;
        socket.off('data', take);
        resolve();
      };
      socket.on('data', take);
    });
  const opened = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const first = await opened();
  first.write(wave);
  await answered(first);
  expect(behind).toBe(19);
  // It sends behind others again, and those that come with it do.
  first.write(wave);
  const others = await Promise.all(Array.from({ length: 8 }, opened));
  for (const socket of others) socket.write(wave);
  await Promise.all([first, ...others].map(answered));
  expect(behind).toBeLessThan(19 + 8 * 19);
});
