import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { addressOf, CHAIN, uncompilableSubmission } from './contracts.ts';
import { connectAsStranger, openRaw, requestBytes } from './raw-connection.ts';

/** Sends bodies until it is stopped. */
export interface BodyAttack {
  /** Counts of answers by status, `closed`, `reset` and `hung`. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Ends at once what it holds open. */
  stop(): Promise<void>;
}

const MIB = 1_048_576;
/** Just below the limit of 30 MiB. */
const LARGEST = 30 * MIB - 1000;
const JSON_TYPE = { 'content-type': 'application/json' };
const PACKED = { ...JSON_TYPE, 'content-encoding': 'gzip' };
const DRIP_MS = 200;

const target = (index: number) => `/v2/verify/${CHAIN}/${addressOf(index)}`;

/** A submission of about so many bytes that is stored and soon over. */
function submissionOf(bytes: number): string {
  return uncompilableSubmission('x'.repeat(bytes));
}

/** A body of many small values, which takes longer to read than one long text. */
function manyValues(bytes: number): string {
  return `{"stdJsonInput":[${'[1,{"a":null}],'.repeat(bytes / 15)}1]}`;
}

/** Sends requests without pause over so many connections. */
function repeat(url: string, connections: number, request: (turn: number) => Buffer): BodyAttack {
  const outcomes: Record<string, number> = {};
  let [turn, isOver] = [0, false];
  const sending = Array.from({ length: connections }, async () => {
    while (!isOver) {
      const connection = await openRaw(url, 60_000).catch(() => null);
      const outcome = connection === null ? 'reset' : await connection.request(request(turn++), 'POST');
      connection?.close();
      const name = typeof outcome === 'string' ? outcome : String(outcome.status);
      outcomes[name] = (outcomes[name] ?? 0) + 1;
    }
  });
  return {
    outcomes,
    async stop() {
      isOver = true;
      await Promise.all(sending);
    },
  };
}

/** Opens connections that begin with a large body; whatever the server ends is opened again. */
function hold(url: string, connections: number, begin: (socket: Socket) => () => void): BodyAttack {
  const outcomes: Record<string, number> = {};
  const open = new Set<Socket>();
  let isOver = false;
  const start = () => {
    const socket = connectAsStranger(url);
    open.add(socket);
    let [answer, end] = ['closed', () => {}];
    socket.on('connect', () => {
      end = begin(socket);
    });
    socket.on('data', (chunk) => {
      answer = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1] ?? answer;
    });
    // The end is counted once, when it closes.
    socket.on('error', () => {});
    socket.on('close', () => {
      end();
      open.delete(socket);
      if (isOver) return;
      outcomes[answer] = (outcomes[answer] ?? 0) + 1;
      setTimeout(start, DRIP_MS).unref();
    });
  };
  for (let index = 0; index < connections; index += 1) start();
  return {
    outcomes,
    async stop() {
      isOver = true;
      for (const socket of open) socket.destroy();
    },
  };
}

/** The four kinds, by what they are made of. */
export const BODY_ATTACKS: Readonly<Record<string, (url: string) => BodyAttack>> = {
  'forty gzip bombs at once': (url) => {
    const bomb = gzipSync(submissionOf(LARGEST), { level: 9 });
    return repeat(url, 40, (turn) => requestBytes('POST', target(turn % 1000), PACKED, bomb));
  },
  'thirty half-sent bodies of 29 MB': (url) => {
    const half = Buffer.alloc(15 * MIB, 'x');
    const headers = { ...JSON_TYPE, 'content-length': String(29 * MIB) };
    return hold(url, 30, (socket) => {
      socket.write(requestBytes('POST', target(0), headers));
      socket.write(half);
      return () => {};
    });
  },
  'a hundred bodies sent a byte at a time': (url) => {
    const headers = { ...JSON_TYPE, 'content-length': String(MIB) };
    return hold(url, 100, (socket) => {
      socket.write(requestBytes('POST', target(0), headers));
      const timer = setInterval(() => socket.write('x'), DRIP_MS);
      return () => clearInterval(timer);
    });
  },
  'eight large JSON bodies at once': (url) => {
    const bodies = [
      submissionOf(LARGEST),
      manyValues(20 * MIB),
      submissionOf(4 * MIB),
      manyValues(2 * MIB),
      gzipSync(manyValues(8 * MIB)),
    ];
    return repeat(url, 8, (turn) => {
      const body = bodies[turn % bodies.length]!;
      return requestBytes('POST', target(turn % 1000), typeof body === 'string' ? JSON_TYPE : PACKED, body);
    });
  },
};
