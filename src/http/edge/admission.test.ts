import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { clientAddresses } from '../client-address.ts';
import { admitRequests } from './admission.ts';
import { ClientLimiter } from './client-limiter.ts';
import { ConnectionBudget } from './connection-budget.ts';
import { EdgeRefusal, refusalFor } from './edge-refusal.ts';
import { Turns } from './turns.ts';
import { WaitingRoom } from './waiting-room.ts';

/** A connection that notes what was done to it. */
class ASocket extends EventEmitter {
  destroyed = false;
  writableEnded = false;
  isHeld = false;
  remoteAddress = '10.0.0.1';
  pause = () => {
    this.isHeld = true;
  };
  resume = () => {
    this.isHeld = false;
    this.emit('resume');
  };
  isPaused = () => this.isHeld;
  destroy = () => {
    this.destroyed = true;
  };
}

class ARequest extends EventEmitter {
  readonly rawTrailers: string[] = [];

  push(_piece: Buffer | null): boolean {
    return true;
  }
}

const lateness = { ms: 0 };
let now = 0;
/** Requests that were reported as read and not begun. */
let waits = 0;
let calls: (() => void)[] = [];
let answered: string[] = [];

beforeEach(() => {
  [now, waits, calls, answered, lateness.ms] = [0, 0, [], [], 0];
});

/** Answers `/ready` at once, the rest by the router; only what `run` lets begin is done. */
function anAdmission({
  limiter = null as ClientLimiter | null,
  budget = new ConnectionBudget(null),
  maxBytes = 2640 * 20_000,
} = {}) {
  const listener = admitRequests({
    rooms: { waiting: new WaitingRoom(maxBytes), behind: new WaitingRoom(maxBytes) },
    answerAtOnce: ({ url }, _response, { leave, mayWait }) => {
      if (url?.startsWith('/late')) {
        if (!mayWait) return null;
        if (url === '/late-fault') leave(new Error('lost'));
        else answered.push(`${url} later`);
        return 'later';
      }
      if (url !== '/ready' && url !== '/health/liveness') return null;
      answered.push(`${url} at once`);
      return 'now';
    },
    route: (request) => {
      const refusal = refusalFor(request);
      const given = refusal instanceof EdgeRefusal ? refusal.statusCode : refusal?.message;
      answered.push(`${request.url} ${given ?? 'routed'}`);
    },
    areas: { isManaged: (target) => target.startsWith('/v1') },
    arrivals: {
      hasRead: () => {
        waits += 1;
      },
    },
    turns: new Turns({
      now: () => now,
      afterReading: (call) => calls.push(call),
      afterPromises: (call) => calls.push(call),
    }),
    lateness,
    limiter,
    clientAddress: clientAddresses(false),
    budget,
  });
  return (
    url: string,
    method = 'GET',
    socket = new ASocket(),
    response: object = {},
    lines = 1,
    headers: Readonly<Record<string, string>> = {},
    bodyBytes = 0,
  ) => {
    const rawHeaders = Array.from({ length: lines }, () => ['Host', 'a']).flat();
    const sent = { url, method, headers, rawHeaders, httpVersion: '1.1', socket };
    const request = Object.assign(new ARequest(), sent);
    listener(request as unknown as IncomingMessage, response as ServerResponse);
    // As Node's parser does.
    if (bodyBytes > 0) request.push(Buffer.alloc(bodyBytes));
    return socket;
  };
}

function run(): void {
  for (let call = calls.shift(); call !== undefined; call = calls.shift()) call();
}

describe('admitRequests', () => {
  test('health checks pass those who wait', () => {
    const ask = anAdmission();
    ask('/a');
    ask('/ready');
    ask('/health/liveness');
    expect([answered, waits]).toEqual([['/health/liveness at once'], 2]);
    run();
    expect(answered.slice(1)).toEqual(['/a routed', '/ready at once']);
  });

  test.each([
    ['GET', '/health/../list'],
    ['GET', '/health/%2e%2e/list'],
    ['GET', '//health/liveness/..'],
    ['GET', '/health/liveness/../../list?/health/liveness'],
    ['GET', '/health/other'],
    ['POST', '/health/liveness'],
  ])('%s %s waits, as it is no health check', (method, url) => {
    const ask = anAdmission();
    ask(url, method);
    expect(answered).toEqual([]);
    run();
    expect(answered).toHaveLength(1);
  });

  test.each([
    ['GET', '/health/liveness?x=/../..'],
    ['GET', '/Health/readiness/'],
    ['HEAD', '//health/readiness'],
  ])('%s %s is a health check', (method, url) => {
    anAdmission()(url, method);
    expect(answered).toEqual([`${url} routed`]);
  });

  test('after long waits work is refused first, then reading, but never what is ready', () => {
    const ask = anAdmission();
    const all = () => {
      for (const [url, method] of [
        ['/ready', 'GET'],
        ['/late', 'GET'],
        ['/list', 'GET'],
        ['/work', 'POST'],
        ['/v1/../work', 'POST'],
        ['/v%31/pages', 'PATCH'],
      ] as const) {
        ask(url, method);
      }
    };
    all();
    now = 1500;
    run();
    expect(answered).toEqual([
      '/ready at once',
      '/late later',
      '/list routed',
      '/work 503',
      '/v1/../work 503',
      '/v%31/pages routed',
    ]);
    answered = [];
    now = 2000;
    all();
    now = 6000;
    run();
    expect(answered.map((line) => line.split(' ')[1])).toEqual(['at', ...Array(5).fill('503')]);
  });

  test('an answer that was waited for in vain is the error of the router', () => {
    anAdmission()('/late-fault');
    run();
    expect(answered).toEqual(['/late-fault lost']);
  });

  test('while the event loop is late, work is refused and the rest served', () => {
    const ask = anAdmission();
    lateness.ms = 1500;
    for (const method of ['GET', 'HEAD', 'POST']) ask('/x', method);
    run();
    expect(answered).toEqual(['/x routed', '/x routed', '/x 503']);
  });

  test('limits clients, but not their health checks', () => {
    const ask = anAdmission({ limiter: new ClientLimiter(1, () => 0) });
    for (let index = 0; index < 41; index += 1) ask('/ready');
    ask('/health/liveness');
    run();
    expect(answered.filter((line) => line === '/ready at once')).toHaveLength(40);
    expect(answered).toContain('/ready 429');
    expect(answered).toContain('/health/liveness at once');
  });

  test('the last places for connections are for health checks', () => {
    const budget = new ConnectionBudget(4);
    const ask = anAdmission({ budget });
    const sockets = Array.from({ length: 5 }, () => new ASocket());
    const places = sockets.map((socket) => budget.take(socket as unknown as Socket, () => null));
    expect(places).toEqual([true, true, true, true, false]);
    for (const socket of sockets.slice(2, 4)) ask('/ready', 'GET', socket);
    ask('/health/liveness', 'GET', sockets[3]);
    run();
    expect(answered).toEqual(['/health/liveness at once', '/ready at once', '/ready 503']);
    sockets[0]?.emit('close');
    expect(budget.take(new ASocket() as unknown as Socket, () => null)).toBe(true);
  });

  test('no connection ends for a request that is refused anyway', () => {
    const budget = new ConnectionBudget(8);
    const ask = anAdmission({ budget, limiter: new ClientLimiter(1, () => 0) });
    const greedy = Array.from({ length: 6 }, () =>
      Object.assign(new ASocket(), { remoteAddress: '10.0.0.2' }),
    );
    const crowded = new ASocket();
    for (const socket of [...greedy, crowded]) budget.take(socket as unknown as Socket, () => null);
    for (let count = 0; count < 40; count += 1) ask('/ready');
    ask('/ready', 'GET', crowded);
    run();
    expect(answered.at(-1)).toBe('/ready 429');
    expect(greedy.some(({ destroyed }) => destroyed)).toBe(false);
  });

  test('a burst beyond the bound ends idle connections and turns none away', () => {
    const budget = new ConnectionBudget(8);
    const idle: Socket[] = [];
    const endIdle = () => idle.shift() ?? null;
    for (let index = 0; index < 50; index += 1) {
      const socket = new ASocket() as unknown as Socket;
      expect(budget.take(socket, endIdle)).toBe(true);
      expect(budget.isCrowded(socket)).toBe(false);
      idle.push(socket);
    }
    expect([budget.open, idle.length]).toEqual([6, 6]);
  });

  test('a client with more than half of the connections pays for those of others, who pay for none of its', () => {
    const budget = new ConnectionBudget(8);
    const idle: Socket[] = [];
    const endIdle = (mayEnd: (socket: Socket) => boolean) => idle.find(mayEnd) ?? null;
    const connect = (remoteAddress: string) => {
      const socket = Object.assign(new ASocket(), { remoteAddress });
      expect(budget.take(socket as unknown as Socket, endIdle)).toBe(true);
      return socket;
    };
    const innocent = connect('10.0.0.2') as unknown as Socket;
    idle.push(innocent);
    const greedy = Array.from({ length: 6 }, () => connect('10.0.0.1')) as unknown as Socket[];
    expect([innocent, ...greedy].map((socket) => budget.isCrowded(socket)).indexOf(true)).toBe(6);
    const ended = () => greedy.flatMap(({ destroyed }, index) => (destroyed ? [index] : []));
    // Health checks have their places: a busy connection ends only for other requests, or for the last place.
    for (let index = 0; index < 3; index += 1) connect('10.0.0.3').emit('close');
    expect(ended()).toEqual([]);
    const other = connect('10.0.0.3') as unknown as Socket;
    expect([budget.isCrowded(other), budget.isCrowded(other), ended()]).toEqual([false, false, [0]]);
    for (let index = 0; index < 2; index += 1) connect('10.0.0.3');
    expect([budget.open, innocent.destroyed, ended()]).toEqual([8, false, [0, 5]]);
  });

  /** An answer that has no socket yet, because others before it do. */
  const behind = () => Object.assign(new EventEmitter(), { socket: null });

  test('of a connection one request at a time is there for others', async () => {
    const ask = anAdmission();
    const socket = new ASocket();
    ask('/first', 'GET', socket);
    const [second, third] = [behind(), behind()];
    ask('/second', 'GET', socket, second);
    ask('/health/liveness', 'GET', socket, third);
    second.emit('socket');
    ask('/other');
    run();
    expect(answered).toEqual(['/first routed', '/second routed', '/other routed']);
    third.emit('socket');
    await setImmediate();
    expect(answered.at(-1)).toBe('/health/liveness at once');
  });

  test('a connection is not read on before its requests were served, whatever resumes it', () => {
    const ask = anAdmission();
    const socket = new ASocket();
    const responses = Array.from({ length: 64 }, behind);
    for (const response of responses) ask('/ready', 'GET', socket, response);
    // As Node does once a large answer is sent.
    socket.resume();
    expect(socket.isHeld).toBe(true);
  });

  test('the connection with most requests is closed, and what one held is free when it closes', () => {
    const ask = anAdmission();
    const [greedy, innocent] = [new ASocket(), new ASocket()];
    for (let index = 0; index < 20_065; index += 1) ask('/ready', 'GET', greedy, behind());
    expect(greedy.destroyed).toBe(false);
    for (let index = 0; index < 4; index += 1) ask('/ready', 'GET', new ASocket(), behind());
    expect(ask('/second', 'GET', innocent, behind()).destroyed).toBe(false);
    expect(greedy.destroyed).toBe(true);
    // Node reports no end of these requests, as behind a CONNECT.
    const gone = new ASocket();
    for (let index = 0; index < 19_000; index += 1) ask('/ready', 'GET', gone, behind());
    gone.emit('close');
    const next = new ASocket();
    for (let index = 0; index < 19_000; index += 1) ask('/ready', 'GET', next, behind());
    expect([next.destroyed, innocent.destroyed]).toEqual([false, false]);
  });

  test('nothing is done any more on a connection that the server has ended', () => {
    const ask = anAdmission();
    const socket = new ASocket();
    const response = behind();
    ask('/second', 'GET', socket, response);
    response.emit('socket');
    socket.writableEnded = true;
    run();
    expect(answered).toEqual([]);
  });

  test('a connection that sends many requests at once is read on when they were served', () => {
    const ask = anAdmission();
    const socket = new ASocket();
    const responses = Array.from({ length: 64 }, behind);
    for (const response of responses.slice(1)) ask('/ready', 'GET', socket, response);
    expect(socket.isHeld).toBe(false);
    ask('/ready', 'GET', socket, responses[0]);
    expect(socket.isHeld).toBe(true);
    for (const response of responses) response.emit('socket');
    run();
    expect([socket.isHeld, answered.length]).toEqual([false, 64]);
  });

  /** A connection from another address. */
  const from = (remoteAddress: string) => Object.assign(new ASocket(), { remoteAddress });
  const someFrom = (address: string, count: number, one: (socket: ASocket) => ASocket) =>
    Array.from({ length: count }, () => one(from(address)));
  const ended = (sockets: readonly ASocket[]) => sockets.filter(({ destroyed }) => destroyed).length;
  const POST = { 'content-length': '31457280' };

  test.each([
    ['requests', 100, 0, {}],
    ['bodies', 512, 65_536, POST],
    ['chunked bodies', 512, 65_536, { 'transfer-encoding': 'chunked' }],
  ])(
    'the client with most waiting %s gives way to others',
    (_, most, bytes, headers: Readonly<Record<string, string>>) => {
      const ask = anAdmission({ maxBytes: bytes === 0 ? 2640 * most : 1e8 });
      const post = (socket: ASocket) => ask('/work', 'POST', socket, {}, 1, headers, bytes);
      const greedy = someFrom('10.0.0.2', most, post);
      expect(ended(greedy)).toBe(0);
      expect(ended(someFrom('10.0.0.2', 1, post))).toBe(1);
      expect(ended([...someFrom('10.0.0.3', 1, post), ...someFrom('10.0.0.4', 1, post)])).toBe(0);
      expect(ended(greedy)).toBe(2);
      run();
      expect(answered).toHaveLength(most);
    },
  );

  test('what is parked behind answers takes no room from first requests', () => {
    const ask = anAdmission({ maxBytes: 2640 * 100 });
    for (let client = 2; client < 12; client += 1)
      for (const socket of someFrom(`10.0.0.${client}`, 10, (each) => each))
        ask('/ready', 'GET', socket, behind(), 1, POST, 65_536);
    expect(ask('/work', 'POST', from('10.0.1.1'), {}, 1, POST, 65_536).destroyed).toBe(false);
  });

  test('a client that has gone leaves its place in the room and in the turns', () => {
    const ask = anAdmission({ maxBytes: 2640 * 10 });
    for (let index = 0; index < 50; index += 1) ask('/gone').emit('close');
    expect(ask('/ready').destroyed).toBe(false);
    run();
    expect(answered).toEqual(['/ready at once']);
  });

  test('fewer wait where the heap is small', () => {
    const ask = anAdmission({ maxBytes: 2640 * 10 });
    for (let index = 0; index < 10; index += 1) expect(ask('/ready').destroyed).toBe(false);
    expect(ask('/ready').destroyed).toBe(true);
  });

  test('a request counts by its head while it waits', () => {
    const ask = anAdmission({ maxBytes: 200_000 });
    const large = new ASocket();
    expect(ask('/ready', 'GET', large, {}, 1000).destroyed).toBe(true);
    const [some, other] = [new ASocket(), new ASocket()];
    expect(ask('/ready', 'GET', some, {}, 500).destroyed).toBe(false);
    expect(ask('/ready', 'GET', other, {}, 500).destroyed).toBe(true);
    // Small ones have the other half.
    for (let index = 0; index < 30; index += 1) expect(ask('/ready').destroyed).toBe(false);
    run();
    expect(ask('/ready', 'GET', new ASocket(), {}, 500).destroyed).toBe(false);
  });

  test('what has arrived of bodies counts while requests wait, and what was announced does not', () => {
    const ask = anAdmission();
    const post = (bytes: number) => ask('/work', 'POST', new ASocket(), {}, 1, POST, bytes);
    expect(ended(Array.from({ length: 5000 }, () => post(0)))).toBe(0);
    expect(ended(Array.from({ length: 512 }, () => post(65_536)))).toBe(0);
    expect(post(65_536).destroyed).toBe(true);
    // Small ones have the other half.
    expect(ended(Array.from({ length: 4096 }, () => post(8192)))).toBe(0);
    expect(post(8192).destroyed).toBe(true);
    run();
    expect(post(65_536).destroyed).toBe(false);
  });

  test('so it does behind others, where the connection with most of it is closed', () => {
    const ask = anAdmission();
    const [greedy, innocent] = [new ASocket(), new ASocket()];
    for (let index = 0; index < 512; index += 1) ask('/work', 'POST', greedy, behind(), 1, POST, 65_536);
    expect(greedy.destroyed).toBe(false);
    ask('/work', 'POST', innocent, behind(), 1, POST, 65_536);
    expect([greedy.destroyed, innocent.destroyed]).toEqual([true, false]);
  });

  test('takes no more than a bounded number, and does nothing on a closed connection', () => {
    const ask = anAdmission({ maxBytes: 2640 * 20_000 });
    const sockets = Array.from({ length: 20_100 }, () => ask('/ready'));
    const refused = ended(sockets);
    expect(refused).toBeGreaterThan(0);
    sockets[0]?.destroy();
    run();
    expect(answered).toHaveLength(20_100 - refused - 1);
  });
});
