import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { patternOf, routePatterns } from '../../scripts/documents/served-routes.ts';
import { aTransfer } from '../../src/mirror/fees/sample-transfer.ts';
import { addressOf, CHAIN, submissionText } from './contracts.ts';

/** A route as requests are made for it. */
export interface FuzzRoute {
  readonly method: string;
  /** Path with `{name}` for its parameters. */
  readonly template: string;
  /** Those that the documents name, in path and query. */
  readonly parameters: readonly FuzzParameter[];
  /** Bodies that the documents show. */
  readonly bodies: readonly string[];
}

/** A parameter with values that its schema takes. */
export interface FuzzParameter {
  readonly name: string;
  readonly isInPath: boolean;
  readonly values: readonly string[];
}

/** Every route answers them. */
const OTHER_METHODS = /^(HEAD|OPTIONS) /;

interface Schema {
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
}

interface Operation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly example?: unknown;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: {
    readonly content?: Readonly<
      Record<
        string,
        {
          readonly example?: unknown;
          readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
        }
      >
    >;
  };
}

const { paths } = JSON.parse(readFileSync(new URL('../../openapi/all.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/** Every route of a server: those of the documents with what the documents say of them, then the others. */
export function fuzzRoutes(app: FastifyInstance): readonly FuzzRoute[] {
  const documented = Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      parameters: parametersOf(operation),
      bodies: bodiesOf(operation),
    })),
  );
  const known = new Set(documented.map(({ method, template }) => `${method} ${patternOf(template)}`));
  const others = [...routePatterns(app, paths)].filter(
    (route) => !known.has(route) && !OTHER_METHODS.test(route),
  );
  return [
    ...documented,
    ...others.map((route) => {
      const [method = 'GET', pattern = '/'] = route.split(' ');
      return { method, template: pattern.replace(/<(?:rest)?>/g, '{any}'), parameters: [], bodies: [] };
    }),
  ];
}

/** Examples, words, and the edges of what a schema allows, with what lies just beyond them. */
function parametersOf({ parameters = [] }: Operation): readonly FuzzParameter[] {
  return parameters
    .filter((each) => each.in === 'path' || (each.in === 'query' && each.name !== 'wait'))
    .map((each) => ({
      name: each.name,
      isInPath: each.in === 'path',
      values: valuesOf(each.example, each.schema),
    }));
}

function valuesOf(example: unknown, schema: Schema = {}): readonly string[] {
  const { default: byDefault, enum: words = [], items, maximum, minimum } = schema;
  const edges = [minimum, maximum].flatMap((edge) => (edge === undefined ? [] : [edge - 1, edge, edge + 1]));
  const all = [
    example,
    byDefault,
    ...words,
    ...edges,
    ...(items === undefined ? [] : valuesOf(undefined, items)),
  ];
  const texts = all.filter((value) => value !== undefined && value !== null).map(String);
  return texts.length === 0 ? [''] : texts;
}

function bodiesOf({ requestBody }: Operation): readonly string[] {
  return Object.values(requestBody?.content ?? {}).flatMap(({ example, examples = {} }) =>
    [example, ...Object.values(examples).map(({ value }) => value)]
      .filter((value) => value !== undefined)
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      // Never an address that anything could reach.
      .filter((text) => !/endpoint|email|https?:/.test(text)),
  );
}

/** Names of the parameters of all queries. */
export const QUERY_NAMES: readonly string[] = [
  ...new Set(
    Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ parameters = [] }) => parameters)
      .flatMap((parameter) =>
        parameter.in === 'query' && parameter.name !== 'wait' ? [parameter.name] : [],
      ),
  ),
  'api_key',
  '__proto__',
];

/** Values that something in the server takes, or nearly. */
export const VALUES: readonly string[] = [
  CHAIN,
  addressOf(0),
  addressOf(1).toUpperCase(),
  '0.0.1001',
  '1001',
  'gte:0.0.3',
  'gt:1700000000.5',
  '1700000001.000000001',
  '0.0.1001-1700000000-000000000',
  '0'.repeat(96),
  `0x${'0'.repeat(64)}`,
  '00000000-0000-4000-8000-000000000000',
  'asc',
  'desc',
  '1',
  '100',
  '101',
  '-1',
  '9223372036854775807',
  '18446744073709551616',
  'lt:9999999999.999999999',
  '9223372036.854775808',
  'gte:9223372036.854775807',
  '0.0.1001-9223372036-854775807',
  'all',
  'true',
  'creationMatch,runtimeMatch,*',
  'CRYPTOTRANSFER',
  'success',
  '',
  ' ',
  '%',
  '%00',
  '%zz',
  '%2e%2e%2f',
  '..',
  "'; drop table job; --",
  '%F0%9F%98%80',
  '%ED%A0%80',
  'x'.repeat(300),
  'x'.repeat(3000),
  'constructor',
  '[]',
  '{}',
];

/** Texts that some route takes as its body. */
export const JSON_BODIES: readonly string[] = [
  submissionText(),
  submissionText('fuzz'),
  '{"sources":{"a.sol":"contract A {}"},"metadata":{"compiler":{"version":"0.8.30+commit.73712a01"},"language":"Solidity","output":{"abi":[]},"settings":{"compilationTarget":{"a.sol":"A"}},"sources":{"a.sol":{"keccak256":"0x00"}},"version":1}}',
  '{"creationTransactionHash":"0x00"}',
  '{"component":{"name":"A","status":"major_outage","description":"d"}}',
  '{"component_group":{"name":"G","components":[]}}',
  '{"incident":{"name":"I","status":"investigating","body":"b","components":{},"component_ids":[]}}',
  '{"incident":{"name":"M","scheduled_for":"2030-01-01T00:00:00Z","scheduled_until":"2030-01-02T00:00:00Z"}}',
  '{"incident_update":{"body":"b","display_at":"2026-01-01T00:00:00Z"}}',
  '{"postmortem":{"body_draft":"b"}}',
  '{"page":{"name":"P","time_zone":"Etc/UTC"}}',
  // Never an address that anything could reach.
  '{"subscriber":{"endpoint":"http://127.0.0.1:1/"}}',
  `{"transaction":"${aTransfer(1).toString('base64')}"}`,
  '[]',
  'null',
  '"text"',
  '',
];

/** A serialized transaction, as estimates take it. */
export const TRANSACTION_BODY: Buffer = aTransfer(1);

/** Headers that something on the way may read. */
export const HEADER_VALUES: Readonly<Record<string, readonly string[]>> = {
  accept: ['*/*', 'application/json', 'text/html', 'text/plain;q=0.5', ';;;', 'application/'],
  'accept-encoding': ['gzip', 'br', 'identity;q=0', '*;q=0', 'gzip;q=nan', 'deflate, gzip'],
  'content-type': [
    'application/json',
    'application/protobuf',
    'application/x-protobuf',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/json; charset=utf-16',
    'application/octet-stream',
    '/',
    '',
  ],
  'content-encoding': ['gzip', 'br', 'deflate', 'identity', 'zstd', 'gzip, gzip', ''],
  'if-none-match': ['*', 'W/"x"', '"', '"a", "b"'],
  'if-modified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday'],
  range: ['bytes=0-10', 'bytes=-1', 'bytes=a-b'],
  origin: ['http://example.org', 'null', ''],
  'access-control-request-method': ['POST', 'BREW', ''],
  'access-control-request-headers': ['x-a, x-b', ','],
  'x-request-id': ['a', 'x'.repeat(500), '<b>', ''],
  'x-forwarded-for': ['1.2.3.4', '::1, 2', 'x'],
  'x-forwarded-host': ['example.org', '"'],
  'x-forwarded-proto': ['https', 'gopher'],
  cookie: ['a=b; c', '='],
  'user-agent': ['', 'curl'],
  te: ['trailers'],
  expect: ['100-continue', 'more'],
  upgrade: ['websocket', 'h2c'],
  connection: ['keep-alive', 'upgrade', 'te'],
  'cache-control': ['no-cache'],
  authorization: ['OAuth x', 'Bearer ', 'Basic =', 'OAuth'],
};
