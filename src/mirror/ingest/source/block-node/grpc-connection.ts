import { isIPv6 } from 'node:net';
import type { Client, ClientOptions, Interceptor, ServiceError } from '@grpc/grpc-js';
import type { BlockLimits } from './block-assembly.ts';
import {
  BlockNodeError,
  type ConnectToNode,
  type NodeEndpoint,
  type NodeStatus,
} from './block-node-connection.ts';
import {
  encodeSubscribe,
  readServerStatus,
  readStreamMessage,
  STATUS_METHOD,
  type StreamMessage,
  SUBSCRIBE_METHOD,
} from './block-node-messages.ts';

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
