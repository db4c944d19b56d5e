// Sends requests over many connections for some seconds, at the rate of its order, and counts what came.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { AnswerReader } from './answer-reader.ts';
import type { LoadCount, LoadOrder } from './load.ts';
import { connectAsStranger, requestBytes } from './raw-connection.ts';

const order = JSON.parse(readFileSync(0, 'utf8')) as LoadOrder;
/** Requests on their way on one connection: enough to keep a server busy, few enough to be a client's. */
const MAX_PIPELINE_LENGTH = order.perSecond === null ? 1 : (order.pipeline ?? 4);
const TICK_MS = 5;
/** How long answers that are on their way at the end are waited for. */
const WAIT_TIMEOUT_MS = 30_000;

const statuses: Record<string, number> = {};
let [offered, withoutRetryAfter, turn] = [0, 0, 0];
let isOver = false;
const count = (what: string) => {
  statuses[what] = (statuses[what] ?? 0) + 1;
};

class Client {
  readonly #reader = new AnswerReader();
  #socket: Socket;
  isOpen = false;

  constructor() {
    this.#socket = this.#connect();
  }

  get isFree(): boolean {
    return this.isOpen && this.#reader.missing < MAX_PIPELINE_LENGTH;
  }

  get missing(): number {
    return this.isOpen ? this.#reader.missing : 0;
  }

  send(): void {
    const { method, path, body } = order.requests[turn % order.requests.length]!;
    const number = (order.first ?? 0) + turn++;
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    offered += 1;
    this.#reader.expect(method);
    this.#socket.write(
      requestBytes(
        method,
        path.replace('{address}', `0x${number.toString(16).padStart(40, 'c')}`),
        headers,
        body?.replaceAll('{n}', String(number)),
      ),
    );
  }

  #connect(): Socket {
    const socket = connectAsStranger(order.url);
    socket.setNoDelay(true);
    const end = (what: string) => {
      if (!this.isOpen && what !== 'refused') return;
      this.isOpen = false;
      for (let lost = this.#reader.missing; lost > 0; lost -= 1) count(what);
      this.#reader.forget();
      if (!isOver) setTimeout(() => (this.#socket = this.#connect()), TICK_MS * 10);
    };
    socket.on('connect', () => {
      this.isOpen = true;
      if (order.perSecond === null) this.send();
    });
    socket.on('data', (chunk) => {
      for (const { status, head } of this.#reader.read(chunk)) {
        count(String(status));
        if ((status === 429 || status === 503) && !/\r\nretry-after: *\d/i.test(head)) withoutRetryAfter += 1;
        if (order.perSecond === null && !isOver) this.send();
      }
    });
    socket.on('error', () => end(this.isOpen ? 'reset' : 'refused'));
    socket.on('end', () => {
      end('closed');
      socket.destroy();
    });
    return socket;
  }
}

const startedAt = performance.now();
const clients = Array.from({ length: order.connections }, () => new Client());
const elapsed = () => (performance.now() - startedAt) / 1000;

let due = 0;
let next = 0;
const timer = setInterval(() => {
  if (order.perSecond === null) return;
  due = elapsed() * order.perSecond;
  // What cannot be sent since all connections are full counts as wanted all the same.
  for (let free = clients.length; offered < due && free > 0; ) {
    const client = clients[next++ % clients.length]!;
    if (client.isFree) client.send();
    else free -= 1;
  }
}, TICK_MS);

setTimeout(async () => {
  isOver = true;
  clearInterval(timer);
  const seconds = elapsed();
  const deadline = performance.now() + WAIT_TIMEOUT_MS;
  while (clients.some(({ missing }) => missing > 0) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  const missing = clients.reduce((sum, client) => sum + client.missing, 0);
  if (missing > 0) statuses['no answer'] = missing;
  const counted: LoadCount = { statuses, offered, wanted: Math.round(due), withoutRetryAfter, seconds };
  process.stdout.write(JSON.stringify(counted), () => process.exit());
}, order.seconds * 1000);
