import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection on which a test decides when which bytes are sent. */
export interface HttpConnection {
  send(bytes: string | Uint8Array): void;
  /** The next answer, interim ones left out; null when the server closed first. @throws when the connection was reset. */
  answer(options?: { readonly isToHead?: boolean }): Promise<WireAnswer | null>;
  /** Waits for the server to close. @throws when the connection was reset. */
  closed(): Promise<void>;
  destroy(): void;
}

/** Connects to the server of a URL. */
export async function connectTo(url: string): Promise<HttpConnection> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const received = receive(socket);
  await once(socket, 'connect');
  return {
    send: (bytes) => socket.write(bytes),
    async answer({ isToHead = false } = {}) {
      for (;;) {
        const answer = await nextAnswer(received, isToHead);
        if (answer === null || answer.status >= 200) return answer;
      }
    },
    async closed() {
      while (await received.more());
    },
    destroy: () => socket.destroy(),
  };
}

interface Received {
  text: string;
  /** Waits for bytes. @returns false when there are no more. @throws when the connection was reset. */
  more(): Promise<boolean>;
}

function receive(socket: Socket): Received {
  let fault: Error | null = null;
  let hasEnded = false;
  let wake = () => {};
  const received: Received = {
    text: '',
    async more() {
      const before = received.text.length;
      while (received.text.length === before && fault === null && !hasEnded) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (fault !== null && received.text.length === before) throw fault;
      return received.text.length > before;
    },
  };
  socket.setEncoding('latin1').on('data', (text: string) => {
    received.text += text;
    wake();
  });
  socket.on('error', (error) => {
    fault = error;
    wake();
  });
  socket.on('end', () => {
    hasEnded = true;
    wake();
  });
  return received;
}

async function nextAnswer(received: Received, isToHead: boolean): Promise<WireAnswer | null> {
  const head = await take(received, (text) => after(text, '\r\n\r\n'));
  if (head === null) return null;
  const [statusLine = '', ...lines] = head.trimEnd().split('\r\n');
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const status = Number(statusLine.split(' ')[1]);
  const hasBody = !isToHead && status >= 200 && status !== 204 && status !== 304;
  return { status, headers, body: hasBody ? await bodyOf(received, headers) : '' };
}

async function bodyOf(received: Received, headers: ReadonlyMap<string, string>): Promise<string> {
  if (headers.get('transfer-encoding') === 'chunked') {
    return (await take(received, (text) => after(text, '0\r\n\r\n'))) ?? '';
  }
  const length = Number(headers.get('content-length') ?? 0);
  return (await take(received, (text) => (text.length >= length ? length : -1))) ?? '';
}

/** Takes the text up to a place, waiting until there is one (not -1); null when the server closed before. */
async function take(received: Received, placeIn: (text: string) => number): Promise<string | null> {
  for (;;) {
    const place = placeIn(received.text);
    if (place >= 0) {
      const taken = received.text.slice(0, place);
      received.text = received.text.slice(place);
      return taken;
    }
    if (!(await received.more())) return null;
  }
}

function after(text: string, mark: string): number {
  const place = text.indexOf(mark);
  return place === -1 ? -1 : place + mark.length;
}
