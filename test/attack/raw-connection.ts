import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AnswerReader, type ReadAnswer } from './answer-reader.ts';

/** How a request on a raw connection ended. */
export type Outcome = ReadAnswer | 'closed' | 'reset' | 'hung';

/** One TCP connection over which bytes are sent as they are. */
export interface RawConnection {
  readonly socket: Socket;
  /**
   * Sends bytes and waits for the next answer.
   *
   * @returns the answer; `closed` when the server ended the connection properly without one, `reset` when it did
   * not, `hung` when nothing came in time.
   */
  request(bytes: Buffer | string, method: string): Promise<Outcome>;
  close(): void;
}

/** Long enough for a machine that is busy with everything else. */
const WAIT_TIMEOUT_MS = 10_000;

/** An attacker has an address of its own; on systems where loopback has one alone, all clients are one. */
const STRANGER = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};

/** Connects as a client that is none of the innocent ones. */
export function connectAsStranger(base: string): Socket {
  const { hostname: host, port } = new URL(base);
  return connect({ host, port: Number(port), ...STRANGER });
}

/** Opens a connection of a stranger to the server. */
export async function openRaw(base: string, patienceMs = WAIT_TIMEOUT_MS): Promise<RawConnection> {
  const socket = connectAsStranger(base);
  const reader = new AnswerReader();
  let ended: 'closed' | 'reset' | null = null;
  let wake = () => {};
  const answers: ReadAnswer[] = [];
  socket.on('data', (chunk) => {
    for (const answer of reader.read(chunk)) answers.push(answer);
    wake();
  });
  socket.on('end', () => {
    ended ??= 'closed';
    wake();
  });
  socket.on('error', () => {
    ended ??= 'reset';
    wake();
  });
  await once(socket, 'connect');
  return {
    socket,
    async request(bytes, method) {
      if (ended !== null) return ended;
      reader.expect(method);
      socket.write(bytes);
      const deadline = Date.now() + patienceMs;
      for (;;) {
        const answer = answers.shift();
        if (answer !== undefined) return answer;
        if (ended !== null) return ended;
        const left = deadline - Date.now();
        if (left <= 0) return 'hung';
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    close: () => socket.destroy(),
  };
}

/** The bytes of a request; a body gets its length unless the headers say otherwise. */
export function requestBytes(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body: Buffer | string = '',
): Buffer {
  const isFramed = 'content-length' in headers || 'transfer-encoding' in headers;
  const all = {
    host: 'localhost',
    ...(isFramed || body.length === 0 ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${head.join('')}\r\n`, 'latin1'),
    typeof body === 'string' ? Buffer.from(body) : body,
  ]);
}

/** A body in chunks of 16 KiB. */
export function inChunks(body: Buffer | string): Buffer {
  const bytes = Buffer.from(body);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 16_384) {
    const chunk = bytes.subarray(at, at + 16_384);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
