import { gzipSync } from 'node:zlib';
import type { RandomSource } from '../../tools/network/seeded-random.ts';
import { mutateBytes } from '../kit/mirror/fees/mutate-bytes.ts';
import { TOKEN } from './attacked-server.ts';
import {
  type FuzzRoute,
  HEADER_VALUES,
  JSON_BODIES,
  QUERY_NAMES,
  TRANSACTION_BODY,
  VALUES,
} from './fuzz-routes.ts';
import { inChunks, requestBytes } from './raw-connection.ts';

/** A request that was made up. */
export interface FuzzRequest {
  readonly method: string;
  readonly bytes: Buffer;
  /** Whether a parser sees where it ends, so that another one may follow on the connection. */
  readonly isFramed: boolean;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'MERGE'];
const ODD_LEAVES = [
  'null',
  '-0',
  '1e400',
  '"\\ud800"',
  '[[[[]]]]',
  '{"__proto__":1}',
  '123456789012345678901',
];
/** What no parser takes; each ends its connection. */
const BROKEN: readonly ((head: string) => string)[] = [
  () => 'GET / HTTP/9.9\r\n\r\n',
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => 'BREW / HTTP/1.1\r\nhost: a\r\n\r\n',
  () => '\u0000\u0001\u0002\r\n\r\n',
  (head) => head.replace('\r\n', '\r\ncontent-length: -1\r\n'),
  (head) => head.replace('\r\n', '\r\ncontent-length: 1\r\ncontent-length: 2\r\n'),
  (head) => head.replace('\r\n', '\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n'),
  (head) => head.replace('\r\n', '\r\nno colon\r\n'),
  (head) => head.replace('\r\n', '\r\nname : value\r\n'),
  (head) => head.replace('\r\n', '\r\nhost: other\r\n'),
  (head) => head.replace('\r\n', '\r\nx: a\u0000b\r\n'),
  (head) => head.replace('\r\n', `\r\nx: ${'y'.repeat(20_000)}\r\n`),
  (head) => head.replace('\r\n', '\r\ntransfer-encoding: chunked\r\n').concat('zz\r\n\r\n'),
  (head) => head.replace('HTTP/1.1', 'HTTP/1.0'),
  (head) => head.replace(/^host: .*\r\n/im, ''),
];

/** Makes up requests, always the same ones of the same source. */
export function createFuzzer(
  random: RandomSource,
  routes: readonly FuzzRoute[],
  known: readonly string[],
): () => FuzzRequest {
  const values = [...VALUES, ...known];
  const one = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (oneIn: number): boolean => random.below(oneIn) === 0;

  const value = (): string => {
    const text = one(values);
    if (!chance(3)) return text;
    const at = random.below(text.length + 1);
    return text.slice(0, at) + one(values).slice(0, 40) + text.slice(at + random.below(3));
  };
  // Bytes that would end the request line are sent escaped.
  const inTarget = (text: string): string =>
    text.replace(/[\s#]|[^ -~]/g, (each) => encodeURIComponent(each));

  const target = ({ parameters, template }: FuzzRoute): string => {
    // Half of the requests are good but for one thing, so that they get past the first check.
    const isGood = chance(2);
    let path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const given = parameters.find((each) => each.isInPath && each.name === name)?.values;
      return inTarget(given !== undefined && isGood && !chance(6) ? one(given) : value());
    });
    if (chance(12)) path = one(['/', '//', '/.', '/%2f', ';a', '/%00', 'x'.repeat(2000), '.json']) + path;
    if (chance(12)) path += one(['/', '//', '/x', '%20', ';a', '/..', '.json', '%3f']);
    if (!path.startsWith('/')) path = `/${path}`;
    if (chance(40)) path = `http://localhost${path}`;
    const own = parameters.filter((each) => !each.isInPath);
    const pairs = Array.from({ length: chance(isGood ? 1 : 3) ? random.below(5) : 0 }, () => {
      if (own.length > 0 && !chance(4)) {
        const { name, values: good } = one(own);
        return inTarget(`${name}=${chance(isGood ? 6 : 2) ? value() : one(good)}`);
      }
      const name = chance(8) ? value() : one(QUERY_NAMES);
      return inTarget(chance(8) ? name : `${name}=${value()}`);
    });
    return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
  };

  const body = ({ bodies, template }: FuzzRoute): Buffer => {
    if (bodies.length > 0 && chance(2)) {
      const bytes = Buffer.from(one(bodies));
      return chance(2) ? mutateBytes(bytes, random) : bytes;
    }
    if (chance(3)) return mutateBytes(TRANSACTION_BODY, random);
    // An endpoint with a changed digit would belong to a stranger.
    if (/subscribers/.test(template)) return Buffer.from(one(JSON_BODIES));
    let text = one(JSON_BODIES);
    if (chance(3)) text = text.replace(/"[^"]*"(?=[,}\]])/, () => one(ODD_LEAVES));
    if (chance(60)) text = `${'['.repeat(5000)}${text}`;
    if (chance(400)) text = JSON.stringify({ text, padding: 'x'.repeat(random.below(300_000)) });
    const bytes = Buffer.from(text);
    return chance(4) && !text.includes('endpoint') ? mutateBytes(bytes, random) : bytes;
  };

  return () => {
    const route = one(routes);
    const method = chance(4) ? one(METHODS) : route.method;
    const headers: Record<string, string> = {};
    if (chance(2)) headers['authorization'] = `OAuth ${TOKEN.text}`;
    for (let count = chance(2) ? random.below(5) : 0; count > 0; count -= 1) {
      const name = one(Object.keys(HEADER_VALUES));
      headers[name] = chance(10) ? value().slice(0, 200) : one(HEADER_VALUES[name]!);
    }
    const path = target(route);
    if (chance(50)) {
      const head = requestBytes(one(['GET', 'POST']), path, headers).toString('latin1');
      return { method: 'GET', bytes: Buffer.from(one(BROKEN)(head), 'latin1'), isFramed: false };
    }
    const hasBody = chance(['POST', 'PUT', 'PATCH'].includes(method) ? 1 : 6);
    let content = hasBody ? body(route) : Buffer.alloc(0);
    if (hasBody && !chance(5)) headers['content-type'] ??= 'application/json';
    if (headers['content-encoding'] === 'gzip' && !chance(4)) content = gzipSync(content, { level: 1 });
    if (hasBody && chance(4)) {
      headers['transfer-encoding'] = 'chunked';
      content = inChunks(content);
    }
    return { method, bytes: requestBytes(method, path, headers, content), isFramed: true };
  };
}
