import { isIPv6 } from 'node:net';
import type { Client, ClientOptions, Interceptor, ServiceError } from '@grpc/grpc-js';
import { LedgerlensError } from '../../../../values/ledgerlens-error.ts';
import { FieldWalk, rawField, varintOf } from '../../../protobuf/wire.ts';
import { WireWriter } from '../../../protobuf/wire-writer.ts';
import type { BlockLimits } from './block-assembly.ts';
import {
  BlockNodeError,
  type ConnectToNode,
  type NodeEndpoint,
  type NodeStatus,
} from './block-node-connection.ts';

type Grpc = typeof import('@grpc/grpc-js');

const KEEP_ALIVE_MS = 20_000;
/** A window of 64 KiB would bound the past of a far node to some hundred KiB a second. */
const FLOW_WINDOW_BYTES = 1024 * 1024;
const STATUS_BYTES = 64 * 1024;

const UNIMPLEMENTED = 12;

/** Connects by HTTP/2, with TLS where the endpoint says so. */
export function connectByGrpc({ bytes }: Pick<BlockLimits, 'bytes'>): ConnectToNode {
  return (node) => {
    const clients: Client[] = [];
    const open = async (endpoint: NodeEndpoint, options: ClientOptions): Promise<readonly [Grpc, Client]> => {
      // Loaded when a node is dialled: servers without block nodes do without.
      const grpc = await import('@grpc/grpc-js');
      const { address, host } = endpoint;
      const named =
        address === undefined || address === host
          ? {}
          : { 'grpc.default_authority': host, 'grpc.ssl_target_name_override': host };
      const credentials = endpoint.isTls ? grpc.credentials.createSsl() : grpc.credentials.createInsecure();
      const client = new grpc.Client(addressOf(endpoint), credentials, {
        'grpc.keepalive_time_ms': KEEP_ALIVE_MS,
        'grpc.keepalive_timeout_ms': KEEP_ALIVE_MS / 2,
        'grpc-node.flow_control_window': FLOW_WINDOW_BYTES,
        // A shared one would wait up to two minutes before it dials a node again.
        'grpc.use_local_subchannel_pool': 1,
        'grpc.enable_retries': 0,
        ...named,
        ...options,
      });
      clients.push(client);
      return [grpc, client];
    };
    return {
      serverStatus: async (signal) => {
        const [, client] = await open(node.status, { 'grpc.max_receive_message_length': STATUS_BYTES });
        return askStatus(client, signal);
      },
      async *subscribe(range, signal) {
        const [grpc, client] = await open(node.stream, { 'grpc.max_receive_message_length': bytes });
        yield* subscription(grpc, client, encodeSubscribe(range), signal);
      },
      close() {
        for (const client of clients.splice(0)) client.close();
      },
    };
  };
}

function askStatus(client: Client, signal: AbortSignal): Promise<NodeStatus> {
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(STATUS_METHOD, toBuffer, asIs, new Uint8Array(), (error, answer) => {
      signal.removeEventListener('abort', cancel);
      if (error?.code === UNIMPLEMENTED) resolve('unknown');
      else if (error !== null) reject(grpcFault(error));
      else {
        try {
          resolve(readServerStatus(answer ?? new Uint8Array()) ?? 'empty');
        } catch (cause) {
          reject(cause);
        }
      }
    });
    const cancel = () => call.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
  });
}

async function* subscription(
  grpc: Grpc,
  client: Client,
  request: Uint8Array,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage> {
  const gate = createGate(grpc);
  const call = client.makeServerStreamRequest(SUBSCRIBE_METHOD, toBuffer, asIs, request, {
    interceptors: [gate.interceptor],
  });
  // What comes after the walk has ended is of no interest, and would be an unhandled error.
  call.on('error', () => {});
  const cancel = () => {
    gate.release();
    call.cancel();
  };
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    gate.release();
    for await (const bytes of call) {
      yield readStreamMessage(bytes as Uint8Array);
      gate.release();
    }
  } catch (error) {
    throw error instanceof BlockNodeError ? error : grpcFault(error as ServiceError);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

/**
 * Lets one message through for each release. A stream of Node.js would read sixteen ahead, each as large as a block may be.
 */
function createGate({ InterceptingCall }: Grpc): { readonly interceptor: Interceptor; release(): void } {
  let isOpen = false;
  let waiting: (() => void) | null = null;
  return {
    interceptor: (options, nextCall) =>
      new InterceptingCall(nextCall(options), {
        start(metadata, _listener, next) {
          next(metadata, {
            onReceiveMessage(message, deliver) {
              if (isOpen) {
                isOpen = false;
                deliver(message);
              } else waiting = () => deliver(message);
            },
          });
        },
      }),
    release() {
      const deliver = waiting;
      waiting = null;
      if (deliver === null) isOpen = true;
      else deliver();
    },
  };
}

function addressOf({ address, host, port }: NodeEndpoint): string {
  const dialled = address ?? host;
  return `${isIPv6(dialled) ? `[${dialled}]` : dialled}:${port}`;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function asIs(bytes: Buffer): Uint8Array {
  return bytes;
}

/** Codes of gRPC that are not the fault of the way. @see https://grpc.io/docs/guides/status-codes */
const CODES: Readonly<Record<number, readonly [fault: 'refused' | 'limit', text: string]>> = {
  5: ['refused', 'does not know the service'],
  7: ['refused', 'does not permit it'],
  8: ['limit', 'sends more than allowed, or limits its clients'],
  12: ['refused', 'does not implement the service'],
  16: ['refused', 'requires credentials'],
};
/** What the client writes around the error of a connection, whatever it was. */
const WRAPPING = /^No connection established\. Last error: (?:Error: )?|\.? *Resolution note: *$/g;
/** What an operator can do, by what the client tells. */
const REMEDIES: readonly (readonly [told: RegExp, remedy: string])[] = [
  [/ECONNREFUSED/, 'nothing is listening there: check host and port, and whether the node is running'],
  [/^Name resolution failed/, 'the host name cannot be resolved: check the name and the name server'],
  [/wrong version number/, 'it does not speak TLS: omit https://'],
  [/^Protocol error/, 'it does not speak gRPC: check the port'],
  [/self-signed|unable to verify|unable to get/i, 'its certificate is not accepted: NODE_EXTRA_CA_CERTS'],
];

/** What a failed call says about the node, with the remedy where one is known. */
export function grpcFault(error: Pick<ServiceError, 'code' | 'details' | 'message'>): BlockNodeError {
  const [fault, text] = CODES[error.code] ?? ['unreachable', 'cannot be reached'];
  const told = (error.details || error.message).replaceAll(WRAPPING, '');
  const remedy = fault === 'unreachable' ? REMEDIES.find(([pattern]) => pattern.test(told))?.[1] : undefined;
  return new BlockNodeError(fault, `${text}: ${remedy === undefined ? told : `${remedy} (${told})`}`, {
    cause: error,
  });
}

/**
 * The messages of `org.hiero.block.api` by hand: items of blocks stay the bytes that they were sent as.
 *
 * @see contracts/streams.md section 17.1
 */

/** As the end of a range: none; as a number of a status: no block yet. */
export const MAX_UINT64 = (1n << 64n) - 1n;

export const SUBSCRIBE_METHOD = '/org.hiero.block.api.BlockStreamSubscribeService/subscribeBlockStream';
export const STATUS_METHOD = '/org.hiero.block.api.BlockNodeService/serverStatus';

/** Block numbers, both inclusive. */
export interface BlockRange {
  readonly start: bigint;
  /** `MAX_UINT64` for an open end. */
  readonly end: bigint;
}

/** One message of a subscription. */
export type StreamMessage =
  | { readonly kind: 'items'; readonly set: Uint8Array }
  | { readonly kind: 'end'; readonly blockNumber: bigint }
  | { readonly kind: 'status'; readonly code: number };

/** Which blocks a node has; null when it has none yet. */
export interface NodeRange {
  readonly first: bigint;
  readonly last: bigint;
}

export function encodeSubscribe({ start, end }: BlockRange): Uint8Array {
  return new WireWriter().setVarint(1, start).setVarint(2, end).finish();
}

/** @throws BlockNodeError `protocol` */
export function readStreamMessage(bytes: Uint8Array): StreamMessage {
  return reading('an answer of a subscription', () => {
    let message: StreamMessage | null = null;
    for (const walk = new FieldWalk(bytes); walk.next(); ) {
      const value = bytes.subarray(walk.start, walk.end);
      if (walk.number === 1 && walk.wireType === 0)
        message = { kind: 'status', code: Number(varintOf(value)) };
      else if (walk.wireType !== 2) continue;
      else if (walk.number === 2) message = { kind: 'items', set: value };
      else if (walk.number === 3) message = { kind: 'end', blockNumber: uint64Member(value, 1) };
    }
    if (message === null) throw new LedgerlensError('malformed', 'neither items nor an end nor a status');
    return message;
  });
}

/** @throws BlockNodeError `protocol` */
export function readServerStatus(bytes: Uint8Array): NodeRange | null {
  return reading('a status', () => {
    const [first, last] = [uint64Member(bytes, 1), uint64Member(bytes, 2)];
    return first === MAX_UINT64 || last === MAX_UINT64 ? null : { first, last };
  });
}

/** One item of a set. */
interface SetItem {
  /** Number of its member: 1 is the header of a block, 9 a proof. */
  readonly field: number;
  readonly bytes: Uint8Array;
}

/** The items of a set, in order. @throws BlockNodeError `protocol` */
export function* setItems(set: Uint8Array): Generator<SetItem> {
  const walk = new FieldWalk(set);
  while (reading('a set of items', () => walk.next())) {
    if (walk.number !== 1 || walk.wireType !== 2) {
      throw new BlockNodeError('protocol', `a set of items has a field ${walk.number} that is not an item`);
    }
    const bytes = set.subarray(walk.start, walk.end);
    const member = new FieldWalk(bytes);
    if (!reading('an item', () => member.next())) throw new BlockNodeError('protocol', 'an item is empty');
    yield { field: member.number, bytes };
  }
}

/** Number of a block from its header item. @throws BlockNodeError `protocol` */
export function headerNumber(item: Uint8Array): bigint {
  return reading('the header of a block', () => uint64Member(member(item, 1), 3));
}

/** Second at which a block begins, from its header item. @throws BlockNodeError `protocol` */
export function headerTime(item: Uint8Array): { readonly seconds: bigint; readonly nanos: number } {
  return reading('the header of a block', () => {
    const time = member(member(item, 1), 4);
    return { seconds: uint64Member(time, 1), nanos: Number(uint64Member(time, 2)) };
  });
}

function member(bytes: Uint8Array, number: number): Uint8Array {
  return rawField(bytes, number) ?? new Uint8Array();
}

function uint64Member(bytes: Uint8Array, number: number): bigint {
  let value = 0n;
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === number && walk.wireType === 0) value = varintOf(walk.bytes);
  }
  return value;
}

function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof LedgerlensError) || cause.code !== 'malformed') throw cause;
    throw new BlockNodeError('protocol', `${what} cannot be read: ${cause.message}`, { cause });
  }
}
