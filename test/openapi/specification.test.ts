import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sharedPath } from '../shared-data.ts';
import { type Operation, readWholeDocument, type Schema } from '../support/openapi-document.ts';
import { describeShared } from '../support/shared-suites.ts';

/**
 * The documents in `openapi/` against the interface specification: every pattern, bound, default and
 * enumeration. The specification's text is read where it is; without it the facts below still hold.
 */
const documents = new Map(['verify', 'status', 'mirror'].map((name) => [name, readWholeDocument(name)]));

function operation(document: string, path: string, method: string): Operation {
  const found = documents.get(document)?.paths[path]?.[method];
  if (found === undefined) throw new Error(`${document}.json has no ${method} ${path}`);
  return found;
}

function parameter(of: Operation, name: string): Schema {
  const found = of.parameters?.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no parameter ${name}`);
  return found.schema;
}

const bodyOf = (of: Operation) => of.requestBody?.content['application/json']?.schema ?? {};
const answerOf = (of: Operation, status: string) =>
  of.responses[status]?.content?.['application/json']?.schema ?? {};
const member = (schema: Schema, ...path: string[]): Schema =>
  path.reduce<Schema>((at, name) => (name === '[]' ? at.items : at.properties?.[name]) ?? {}, schema);
/** The types of a member, `null` included, however the document writes the choice. */
const typesOf = (schema: Schema): string[] =>
  (schema.anyOf ?? [schema]).flatMap((each) => each['type'] as string | string[]).sort();
const valuesOf = (schema: Schema): unknown[] =>
  (schema['enum'] as unknown[] | undefined) ?? (schema.anyOf ?? []).map((each) => each['const']);

const submit = operation('verify', '/v2/verify/{chainId}/{address}', 'post');
const list = operation('mirror', '/api/v1/transactions', 'get');
const estimate = operation('mirror', '/api/v1/network/fees', 'post');

describe('POST /v2/verify/{chainId}/{address} as specified in 2.1, 4.1 and 8', () => {
  test('limits the path parameters', () => {
    expect(parameter(submit, 'chainId')).toMatchObject({
      type: 'string',
      minLength: 1,
      maxLength: 20,
      pattern: '^\\d+$',
    });
    expect(parameter(submit, 'address')).toMatchObject({
      type: 'string',
      minLength: 42,
      maxLength: 42,
      pattern: '(\\b0x[a-fA-F0-9]{40}\\b)',
    });
  });

  test('limits the members of the body', () => {
    const body = bodyOf(submit);
    expect([...(body.required ?? [])].sort()).toEqual([
      'compilerVersion',
      'contractIdentifier',
      'stdJsonInput',
    ]);
    expect(member(body, 'compilerVersion')).toMatchObject({
      type: 'string',
      pattern: '^v?\\d+\\.\\d+\\.\\d+.*$',
    });
    expect(member(body, 'contractIdentifier')['type']).toBe('string');
    expect(member(body, 'creationTransactionHash')).toMatchObject({
      type: 'string',
      pattern: '(\\b0x[a-f0-9]{64}\\b)',
    });
    expect(member(body, 'stdJsonInput').required).toContain('language');
    expect(valuesOf(member(body, 'stdJsonInput', 'language'))).toEqual(
      expect.arrayContaining(['Solidity', 'Vyper', 'Fe']),
    );
  });

  test('answers with a uuid', () => {
    const answer = answerOf(submit, '202');
    expect(answer.required).toContain('verificationId');
    expect(member(answer, 'verificationId')).toMatchObject({ type: 'string', format: 'uuid' });
  });
});

describe('GET /v2/verify/{verificationId} as specified in 4.2', () => {
  test('takes a uuid', () => {
    const follow = operation('verify', '/v2/verify/{verificationId}', 'get');
    expect(parameter(follow, 'verificationId')).toMatchObject({ type: 'string', format: 'uuid' });
  });
});

describe('GET /api/v2/summary.json as specified in 2.2', () => {
  const summary = answerOf(operation('status', '/api/v2/summary.json', 'get'), '200');

  test.each([
    ['page', ['id', 'name', 'url', 'time_zone', 'updated_at'], 'string'],
    ['status', ['description', 'indicator'], 'string'],
    ['components.[]', ['id', 'name', 'status', 'page_id', 'created_at', 'updated_at'], 'string'],
    ['components.[]', ['group', 'only_show_if_degraded', 'showcase'], 'boolean'],
    ['components.[]', ['position'], 'integer'],
    ['incidents.[]', ['id', 'name', 'status', 'impact', 'created_at', 'updated_at'], 'string'],
    [
      'incidents.[].incident_updates.[]',
      ['id', 'incident_id', 'status', 'body', 'created_at', 'updated_at', 'display_at'],
      'string',
    ],
    [
      'scheduled_maintenances.[]',
      ['id', 'name', 'status', 'impact', 'scheduled_for', 'scheduled_until', 'shortlink'],
      'string',
    ],
  ])('%s has %j of type %s', (path, names, type) => {
    const object = member(summary, ...path.split('.'));
    for (const name of names) {
      expect(typesOf(member(object, name)), name).toEqual([type]);
      expect(object.required, name).toContain(name);
    }
  });

  test.each([
    ['components.[]', ['description', 'group_id', 'start_date']],
    ['incidents.[]', ['resolved_at', 'monitoring_at']],
  ])('%s has %j, which may be null', (path, names) => {
    for (const name of names) {
      expect(typesOf(member(summary, ...path.split('.'), name)), name).toEqual(['null', 'string']);
    }
  });
});

describe('GET /api/v1/transactions as specified in 2.3, 4.4 and 8', () => {
  test('limits and defaults the query parameters', () => {
    expect(parameter(list, 'account.id')['pattern']).toBe(
      '^((gte?|lte?|eq|ne):)?(\\d{1,10}\\.\\d{1,10}\\.)?\\d{1,10}$',
    );
    expect(parameter(list, 'limit')).toMatchObject({
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 100,
      default: 25,
    });
    expect(parameter(list, 'order')['default']).toBe('desc');
    expect(valuesOf(parameter(list, 'order'))).toEqual(['asc', 'desc']);
    expect(parameter(list, 'timestamp')).toMatchObject({
      type: 'array',
      items: { type: 'string', pattern: '^((eq|gt|gte|lt|lte|ne):)?\\d{1,10}(\\.\\d{1,9})?$' },
    });
    expect(valuesOf(parameter(list, 'result'))).toEqual(['success', 'fail']);
    expect(valuesOf(parameter(list, 'type'))).toEqual(['credit', 'debit']);
    expect(list.parameters?.filter((each) => each.required === true)).toEqual([]);
  });

  test('lists the 56 transaction types, and the three of registered nodes that clients offer too', () => {
    const names = valuesOf(parameter(list, 'transactiontype'));
    expect(names).toHaveLength(59);
    expect(names).toEqual(
      expect.arrayContaining(['ATOMICBATCH', 'HOOKSTORE', 'REGISTEREDNODECREATE', 'UTILPRNG']),
    );
    expect(new Set(names).size).toBe(59);
  });

  test('a row can have these names, those of system types, and UNKNOWN', () => {
    const name = member(answerOf(list, '200'), 'transactions', '[]', 'name');
    expect(valuesOf(name)).toEqual(expect.arrayContaining(valuesOf(parameter(list, 'transactiontype'))));
    expect(valuesOf(name)).toEqual(expect.arrayContaining(['STATESIGNATURETRANSACTION', 'UNKNOWN']));
    expect(valuesOf(name)).toHaveLength(59 + 9 + 1);
  });

  test.each([
    [['charged_tx_fee', 'nonce', 'max_fee', 'valid_duration_seconds'], 'integer'],
    [['consensus_timestamp', 'name', 'result', 'transaction_id', 'valid_start_timestamp'], 'string'],
    [['high_volume', 'scheduled'], 'boolean'],
    [
      ['max_custom_fees', 'nft_transfers', 'staking_reward_transfers', 'token_transfers', 'transfers'],
      'array',
    ],
  ])('a transaction has %j of type %s', (names, type) => {
    const transaction = member(answerOf(list, '200'), 'transactions', '[]');
    for (const name of names) expect(typesOf(member(transaction, name)), name).toContain(type);
  });

  test('links.next is a text or null', () => {
    expect(typesOf(member(answerOf(list, '200'), 'links', 'next'))).toEqual(['null', 'string']);
  });
});

describe('POST /api/v1/network/fees as specified in 4.6', () => {
  test('takes a protobuf transaction and a mode', () => {
    expect(Object.keys(estimate.requestBody?.content ?? {}).sort()).toEqual([
      'application/protobuf',
      'application/x-protobuf',
    ]);
    // The specification has lower case, the SDK sends upper case.
    expect(valuesOf(parameter(estimate, 'mode'))).toEqual(['intrinsic', 'state', 'INTRINSIC', 'STATE']);
    expect(parameter(estimate, 'mode')['default']).toBe('intrinsic');
  });
});

describe('the network object as specified in 4.5', () => {
  test.each(['supply', 'fees', 'exchangerate', 'nodes', 'stake'])(
    'GET /api/v1/network/%s is there',
    (name) => {
      expect(operation('mirror', `/api/v1/network/${name}`, 'get').responses['200']).toBeDefined();
    },
  );
});

describeShared('the text of the specification', () => {
  const text = readFileSync(sharedPath('contracts', 'seed.txt'), 'utf8');
  /** The specification escapes the colon, which a validator with the `u` flag refuses; it means the same. */
  const unescaped = text.replaceAll('\\:', ':');

  test('has every pattern of the documents', () => {
    const patterns = [
      parameter(submit, 'chainId')['pattern'],
      parameter(submit, 'address')['pattern'],
      member(bodyOf(submit), 'compilerVersion')['pattern'],
      member(bodyOf(submit), 'creationTransactionHash')['pattern'],
      parameter(list, 'account.id')['pattern'],
      (parameter(list, 'timestamp')['items'] as Schema)['pattern'],
    ];
    for (const pattern of patterns) expect(unescaped).toContain(pattern);
  });

  test('lists the transaction types of the document, and three more of clients', () => {
    const row = /\| transactiontype \|[^|]*\|[^|]*\| One of: ([A-Z, ]+)\./.exec(text)?.[1] ?? '';
    const more = ['REGISTEREDNODECREATE', 'REGISTEREDNODEDELETE', 'REGISTEREDNODEUPDATE'];
    expect([...row.split(', '), ...more].sort()).toEqual(
      [...(valuesOf(parameter(list, 'transactiontype')) as string[])].sort(),
    );
  });

  test('names no operation that the documents lack', () => {
    const named = [...text.matchAll(/(GET|POST) \{(?:base|status)_url\}(\/[^\s|.]+(?:\.json)?)/g)];
    expect(named.length).toBeGreaterThan(8);
    for (const [, method = '', path = ''] of named) {
      const document = path.startsWith('/api/v2')
        ? 'status'
        : path.startsWith('/api/v1')
          ? 'mirror'
          : 'verify';
      expect(operation(document, path, method.toLowerCase()), `${method} ${path}`).toBeDefined();
    }
  });
});
