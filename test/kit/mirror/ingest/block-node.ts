import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { status as codes, Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import {
  MAX_UINT64,
  STATUS_METHOD,
  SUBSCRIBE_METHOD,
} from '../../../../src/mirror/ingest/source/block-node/grpc-connection.ts';
import type { BlockNodeAddress } from '../../../../src/mirror/ingest/units/live-source.ts';
import { FieldWalk, varintOf } from '../../../../src/mirror/protobuf/wire.ts';
import { joined, lengthField, varint } from './block-bytes.ts';

/** What a test block node does wrong, or otherwise; may be changed at any time. */
export interface NodeFaults {
  /** Changes what is sent of a block; an empty list leaves it out. */
  messages?: (number: bigint, messages: readonly Uint8Array[]) => readonly Uint8Array[];
  /** Items in a set; default 5. */
  setItems?: number;
  /** An older node sends no ends. */
  sendsNoEnds?: boolean;
  status?: 'unimplemented' | 'silent' | { readonly first: bigint; readonly last: bigint };
  /** A number: the code that it answers with instead of blocks. */
  subscribe?: 'unimplemented' | 'silent' | number;
  /** Ends each stream with success behind that many blocks. */
  successAfter?: number;
  /** Stops within each stream behind that many messages and stays silent. */
  silentAfter?: number;
  /** Breaks a connection when that many bytes were sent on it; asked for each. */
  cutAtByte?: () => number;
  /** Accepts connections and sends nothing. */
  isHole?: boolean;
  /** Refuses connections. */
  isDown?: boolean;
  /** Awaited before each message. */
  slow?: () => Promise<unknown>;
}

/** A block node for tests, made of gRPC: serves given bytes of blocks, from the past and as they are pushed. */
export interface TestBlockNode {
  readonly address: BlockNodeAddress;
  readonly faults: NodeFaults;
  /** Ranges that were subscribed to. */
  readonly subscriptions: { readonly start: bigint; readonly end: bigint }[];
  /** Messages that were handed to the transport. */
  readonly sent: number;
  push(number: bigint, bytes: Uint8Array): void;
  /** Breaks the connections that are open. */
  breakOff(): void;
  close(): Promise<void>;
}

type Call = ServerWritableStream<Uint8Array, Uint8Array>;

/** Starts a node on a free port of the loopback address. */
export async function startBlockNode(faults: NodeFaults = {}): Promise<TestBlockNode> {
  const blocks = new Map<bigint, Uint8Array>();
  const subscriptions: { start: bigint; end: bigint }[] = [];
  const waiting = new Set<() => void>();
  let sent = 0;
  let isClosed = false;
  const changed = () => new Promise<void>((resolve) => waiting.add(resolve));
  const wake = () => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const write = async (call: Call, message: Uint8Array): Promise<void> => {
    await faults.slow?.();
    sent++;
    if (!call.write(message)) await drained(call);
  };
  const serve = async (call: Call): Promise<void> => {
    const { end, start } = readRange(call.request);
    subscriptions.push({ start, end });
    if (faults.subscribe === 'unimplemented') return fail(call, codes.UNIMPLEMENTED);
    if (faults.subscribe === 'silent') return;
    if (faults.subscribe !== undefined) {
      call.write(statusMessage(faults.subscribe));
      call.end();
      return;
    }
    let messagesLeft = faults.silentAfter ?? Number.POSITIVE_INFINITY;
    for (let number = start; number <= end; number++) {
      if (BigInt(faults.successAfter ?? -1) === number - start) break;
      let block = blocks.get(number);
      for (; block === undefined; block = blocks.get(number)) {
        await changed();
        if (isClosed || call.cancelled) return;
      }
      for (const message of messagesOf(number, block, faults)) {
        if (call.cancelled || messagesLeft-- <= 0) return;
        await write(call, message);
      }
    }
    call.write(statusMessage(SUCCESS));
    call.end();
  };
  const server = new Server({ 'grpc.max_send_message_length': -1 });
  server.addService(
    {
      subscribe: { path: SUBSCRIBE_METHOD, requestStream: false, responseStream: true, ...AS_BYTES },
      status: { path: STATUS_METHOD, requestStream: false, responseStream: false, ...AS_BYTES },
    },
    {
      subscribe: (call: Call) => void serve(call),
      status: (_call: unknown, answer: (error: object | null, value?: Uint8Array) => void) => {
        const { status } = faults;
        if (status === 'silent') return;
        if (status === 'unimplemented') answer({ code: codes.UNIMPLEMENTED, details: 'no such service' });
        else answer(null, statusAnswer(status ?? rangeOf(blocks)));
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    const credentials = ServerCredentials.createInsecure();
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  const front = await startFront(port, faults);
  return {
    address: {
      name: `127.0.0.1:${front.port}`,
      host: '127.0.0.1',
      streamPort: front.port,
      statusPort: front.port,
      isTls: false,
    },
    faults,
    subscriptions,
    get sent() {
      return sent;
    },
    push(number, bytes) {
      blocks.set(number, bytes);
      wake();
    },
    breakOff: () => front.breakOff(),
    async close() {
      isClosed = true;
      wake();
      await front.close();
      server.forceShutdown();
    },
  };
}

/** What a node sends of a block: its sets and its end. */
export function messagesOf(
  number: bigint,
  block: Uint8Array,
  { messages, sendsNoEnds = false, setItems = 5 }: NodeFaults,
): readonly Uint8Array[] {
  const whole = [...setsOf(block, setItems).map(itemsMessage), ...(sendsNoEnds ? [] : [endMessage(number)])];
  return messages?.(number, whole) ?? whole;
}

/** Field 2 of an answer: a set of items. */
export function itemsMessage(set: Uint8Array): Uint8Array {
  return lengthField(2, set);
}

/** Field 3 of an answer: the end of a block. */
export function endMessage(number: bigint): Uint8Array {
  return lengthField(3, number === 0n ? new Uint8Array() : Uint8Array.from([8, ...varint(number)]));
}

/** Field 1 of an answer. */
export function statusMessage(code: number): Uint8Array {
  return Uint8Array.of(8, code);
}

/** Bytes of a made-up block: a header, some items of a size, a proof. */
export function aBlock(number: bigint, { items = 8, itemBytes = 20 } = {}): Uint8Array {
  const header = lengthField(
    1,
    Uint8Array.from([0x18, ...varint(number), 0x22, 2, 0x08, Number(number % 100n) + 1]),
  );
  const transaction = (at: number) => lengthField(4, new Uint8Array(itemBytes).fill(at % 251));
  const proof = lengthField(9, Uint8Array.from([8, ...varint(number), 0x12, 2, 0x0a, 0]));
  return joined(
    [header, ...Array.from({ length: items }, (_, at) => transaction(at)), proof].map((item) =>
      lengthField(1, item),
    ),
  );
}

const SUCCESS = 1;
const AS_BYTES = {
  requestSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
  requestDeserialize: (bytes: Buffer): Uint8Array => bytes,
  responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
  responseDeserialize: (bytes: Buffer): Uint8Array => bytes,
};

function setsOf(block: Uint8Array, items: number): readonly Uint8Array[] {
  const sets: Uint8Array[] = [];
  const walk = new FieldWalk(block);
  for (let [begin, count] = [0, 1]; walk.next(); count++) {
    if (count % items !== 0 && walk.end < block.length) continue;
    sets.push(block.subarray(begin, walk.end));
    begin = walk.end;
  }
  return sets;
}

/** Settles when there is room again, or nobody reads any more. */
function drained(call: Call): Promise<void> {
  return new Promise((resolve) => {
    const events = ['drain', 'close', 'cancelled'];
    const settle = () => {
      for (const event of events) call.off(event, settle);
      resolve();
    };
    for (const event of events) call.on(event, settle);
    if (call.cancelled) settle();
  });
}

function fail(call: Call, code: number): void {
  call.emit('error', { code, details: 'no such service' });
}

function rangeOf(blocks: ReadonlyMap<bigint, unknown>): { first: bigint; last: bigint } {
  const numbers = [...blocks.keys()];
  if (numbers.length === 0) return { first: MAX_UINT64, last: MAX_UINT64 };
  const by = (isBetter: (a: bigint, b: bigint) => boolean) =>
    numbers.reduce((a, b) => (isBetter(b, a) ? b : a));
  return { first: by((a, b) => a < b), last: by((a, b) => a > b) };
}

function statusAnswer({ first, last }: { first: bigint; last: bigint }): Uint8Array {
  return Uint8Array.from([8, ...varint(first), 16, ...varint(last)]);
}

function readRange(request: Uint8Array): { start: bigint; end: bigint } {
  const members = new Map<number, bigint>();
  for (const walk = new FieldWalk(request); walk.next(); ) {
    members.set(walk.number, varintOf(walk.bytes));
  }
  return { start: members.get(1) ?? 0n, end: members.get(2) ?? 0n };
}

/** What lies between clients and the node: breaks, swallows and refuses connections. */
async function startFront(port: number, faults: NodeFaults) {
  const open = new Set<Socket>();
  const front = createServer((client) => {
    if (faults.isDown === true) {
      client.destroy();
      return;
    }
    const node = connect(port, '127.0.0.1');
    let left = faults.cutAtByte?.() ?? Number.POSITIVE_INFINITY;
    for (const [socket, other] of [
      [client, node],
      [node, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes) => void node.write(bytes));
    node.on('data', (bytes) => {
      if (faults.isHole === true) return;
      const part = bytes.subarray(0, left);
      left -= part.length;
      if (left > 0) {
        if (!client.write(part)) {
          node.pause();
          client.once('drain', () => node.resume());
        }
      } else client.end(part, () => client.destroy());
    });
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const breakOff = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (front.address() as AddressInfo).port,
    breakOff,
    async close() {
      breakOff();
      front.close();
      await once(front, 'close');
    },
  };
}
