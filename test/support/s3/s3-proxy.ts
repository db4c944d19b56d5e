import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { S3_KEY } from './s3-server.ts';
import { credentialOf, isSignedWith } from './signature-version-4.ts';

/** What goes wrong with a request. */
export type Fault =
  /** 503 SlowDown. */
  | 'slow-down'
  /** The body ends in its middle, the connection with it. */
  | 'cut'
  /** Half a body whose length is told as if it were all. */
  | 'short'
  /** Nothing comes. */
  | 'hang'
  /** The begin of a body comes, then nothing. */
  | 'stall'
  /** A listing without its newest objects. */
  | 'stale';

/** A request as faults see it. */
export interface ProxiedRequest {
  readonly isList: boolean;
  /** Of the object, or the prefix of the listing. */
  readonly key: string;
  /** How many came before it. */
  readonly before: number;
  readonly headers: IncomingMessage['headers'];
}

/** Stands in front of an S3 server: checks signatures as S3 does, and does wrong what it is told to. */
export interface S3Proxy {
  readonly url: string;
  readonly requests: readonly ProxiedRequest[];
  /** Default: nothing goes wrong. */
  fault: (request: ProxiedRequest) => Fault | null;
  latencyMs: number;
  /** Whether requests without a signature are answered. */
  isPublic: boolean;
  /** Whether only readers who pay are answered. */
  asksForPay: boolean;
  /** Requests of other regions are refused. */
  region: string;
  /** How far its clock is ahead. */
  aheadMs: number;
  close(): Promise<void>;
}

const MAX_SKEW_MS = 15 * 60_000;

/** @param target URL of the server behind it */
export async function startS3Proxy(target: string): Promise<S3Proxy> {
  const requests: ProxiedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, answer) => {
    handle(incoming, answer).catch(() => answer.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: S3Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fault: () => null,
    latencyMs: 0,
    isPublic: false,
    asksForPay: false,
    region: 'us-east-1',
    aheadMs: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '', proxy.url);
    const isList = url.searchParams.has('list-type');
    const key = isList
      ? (url.searchParams.get('prefix') ?? '')
      : decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    const told: ProxiedRequest = { isList, key, before: requests.length, headers: incoming.headers };
    requests.push(told);
    if (proxy.latencyMs > 0) await pause(proxy.latencyMs);
    const refusal = refusalOf(incoming, proxy);
    if (refusal !== null) return refuse(answer, proxy, refusal);
    const fault = proxy.fault(told);
    if (fault === 'hang') return;
    if (fault === 'slow-down') return refuse(answer, proxy, [503, 'SlowDown']);
    const { body, headers, status } = await forward(target, incoming);
    give(answer, fault, status, headers, isList && fault === 'stale' ? withoutNewest(body) : body);
  }
  return proxy;
}

type Refusal = readonly [status: number, code: string, more?: string];

function refusalOf(incoming: IncomingMessage, proxy: S3Proxy): Refusal | null {
  const credential = credentialOf(incoming);
  if (credential === null) return proxy.isPublic ? null : [403, 'AccessDenied'];
  if (credential.region !== proxy.region) {
    return [400, 'AuthorizationHeaderMalformed', `<Region>${proxy.region}</Region>`];
  }
  if (credential.accessKeyId !== S3_KEY.accessKeyId) {
    return [403, 'InvalidAccessKeyId', `<AWSAccessKeyId>${credential.accessKeyId}</AWSAccessKeyId>`];
  }
  if (!isSignedWith(S3_KEY.secretAccessKey, incoming)) return [403, 'SignatureDoesNotMatch'];
  const stamp = String(incoming.headers['x-amz-date']).replace(/^(.{4})(..)(..T..)(..)/, '$1-$2-$3:$4:');
  if (Math.abs(Date.parse(stamp) - (Date.now() + proxy.aheadMs)) > MAX_SKEW_MS) {
    return [403, 'RequestTimeTooSkewed'];
  }
  const pays = incoming.headers['x-amz-request-payer'] === 'requester';
  return proxy.asksForPay && !pays ? [403, 'AccessDenied'] : null;
}

function refuse(answer: ServerResponse, { aheadMs }: S3Proxy, [status, code, more = '']: Refusal): void {
  answer.writeHead(status, {
    'content-type': 'application/xml',
    date: new Date(Date.now() + aheadMs).toUTCString(),
  });
  answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message>${more}</Error>`);
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function forward(target: string, incoming: IncomingMessage): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { authorization: _signature, ...headers } = incoming.headers;
    const forwarded = send(`${target}${incoming.url}`, { method: incoming.method ?? 'GET', headers });
    forwarded.on('error', reject);
    forwarded.on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ status: response.statusCode ?? 500, headers: response.headers, body: Buffer.concat(chunks) });
    });
    incoming.pipe(forwarded);
  });
}

function give(
  answer: ServerResponse,
  fault: Fault | null,
  status: number,
  headers: IncomingMessage['headers'],
  body: Buffer,
): void {
  const half = body.subarray(0, body.length / 2);
  const sent = fault === 'short' ? half : body;
  const { connection: _connection, 'transfer-encoding': _encoding, ...rest } = headers;
  answer.writeHead(status, { ...rest, 'content-length': sent.length });
  if (fault === 'cut') answer.write(half, () => answer.destroy());
  else if (fault === 'stall') answer.write(half);
  else answer.end(sent);
}

/** The objects of the last two instants are left out. */
function withoutNewest(body: Buffer): Buffer {
  const parts = body.toString().split(/(?=<Contents>)/);
  const kept = parts.slice(0, Math.max(1, parts.length - 4));
  const tail = parts.length > 1 ? (parts.at(-1) ?? '').replace(/^.*<\/Contents>/s, '') : '';
  return Buffer.from(kept.join('') + (parts.length > 1 ? tail : ''));
}
