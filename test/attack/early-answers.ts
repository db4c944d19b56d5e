import { gzipSync } from 'node:zlib';
import { TOKEN } from './attacked-server.ts';
import { addressOf, CHAIN } from './contracts.ts';
import { inChunks, requestBytes } from './raw-connection.ts';

/** A request that is answered before its body was read. */
export interface EarlyAnswer {
  readonly name: string;
  readonly method: string;
  readonly bytes: Buffer;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const TOKEN_HEADER = { authorization: `OAuth ${TOKEN.text}` };
const SIZES = [100, 200_000, 2_000_000];
const READS = [
  '/',
  '/health/liveness',
  '/health/readiness',
  '/metrics',
  '/version',
  '/chains',
  `/v2/contract/${CHAIN}/${addressOf(0)}`,
  '/api/v2/summary.json',
  '/status',
  '/api/v1/transactions',
  '/api/v1/balances',
  '/api/v1/network/fees',
  '/nothing/here',
  '/api/v1/nothing',
  '/api/v2/nothing',
  '/v1/pages',
];
const WRITES = [
  `/v2/verify/${CHAIN}/${addressOf(0)}`,
  `/v2/verify/metadata/${CHAIN}/${addressOf(0)}`,
  `/v2/verify/999/${addressOf(0)}`,
  '/api/v1/network/fees',
  '/api/v1/network/fees/estimate',
  '/v1/pages/unknown/components',
];

function jsonOf(bytes: number): string {
  return JSON.stringify({ text: 'x'.repeat(bytes) });
}

/** The same request in both forms of saying how long its body is. */
function framed(
  name: string,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | string,
): readonly EarlyAnswer[] {
  const chunked = { ...headers, 'transfer-encoding': 'chunked' };
  return [
    { name, method, bytes: requestBytes(method, target, headers, body) },
    { name: `${name}, chunked`, method, bytes: requestBytes(method, target, chunked, inChunks(body)) },
  ];
}

/** Every kind of request whose answer needs nothing of its body, with small and large bodies. */
export function earlyAnswers(): readonly EarlyAnswer[] {
  return SIZES.flatMap((size) => {
    const json = jsonOf(size);
    const packed = gzipSync(json, { level: 0 });
    const odd = (headers: Readonly<Record<string, string>>, body: Buffer | string = json) =>
      [...WRITES, ...READS.slice(-3)].flatMap((target) => {
        const name = `POST ${target} with ${Object.values(headers).join(' ')} and ${size} bytes`;
        return framed(name, 'POST', target, headers, body);
      });
    return [
      ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'].flatMap((method) =>
        READS.flatMap((target) =>
          framed(`${method} ${target} with ${size} bytes`, method, target, JSON_TYPE, json),
        ),
      ),
      ...odd({ 'content-type': 'application/x-unknown' }),
      ...odd({ 'content-type': 'application/x-unknown', 'content-encoding': 'gzip' }, packed),
      ...odd(
        { 'content-type': 'application/x-unknown', 'content-encoding': 'gzip', ...TOKEN_HEADER },
        packed,
      ),
      ...odd({ ...JSON_TYPE, 'content-encoding': 'gzip', ...TOKEN_HEADER }, Buffer.alloc(size, 1)),
      ...odd({ ...JSON_TYPE, 'content-encoding': 'br' }, packed),
      ...odd({ ...JSON_TYPE, expect: 'nothing' }),
      ...odd({ ...JSON_TYPE, expect: '100-continue' }),
      ...odd({ ...JSON_TYPE, connection: 'upgrade', upgrade: 'websocket' }),
      ...odd({ ...JSON_TYPE, ...TOKEN_HEADER }, 'x'.repeat(size)),
    ];
  });
}
