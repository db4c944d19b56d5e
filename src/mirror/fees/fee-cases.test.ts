import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildFeeApp, type KnownEntities, stateOf } from '../../../test/kit/mirror/fees/fee-app.ts';
import { CASE_BODY_LIMIT, type FeeCase } from '../../../test/kit/mirror/fees/fee-case.ts';
import { sharedJsonFiles, sharedPath } from '../../../test/shared-data.ts';
import { describeShared } from '../../../test/support/shared-suites.ts';
import { decodeTransaction } from './decode/decode-transaction.ts';

describeShared('POST /api/v1/network/fees, recorded cases', () => {
  const cases = sharedJsonFiles('cases', 'fee-estimates').map(
    ({ path }) => JSON.parse(readFileSync(path, 'utf8')) as FeeCase,
  );
  test('there are cases', () => expect(cases.length).toBeGreaterThan(100));

  test.each(cases.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    const app = await buildFeeApp({ state: stateOf(knownEntities(each)), bodyLimitBytes: CASE_BODY_LIMIT });
    const response = await post(app, each.request);
    await app.close();
    expect(response.statusCode, response.body).toBe(each.expected.status);
    const body = response.json();
    const { body: expected, notesContains, error } = each.expected;
    if (expected !== undefined) expect(body).toMatchObject(expected);
    if (notesContains === undefined) expect(body).not.toHaveProperty('notes');
    else expect(body.notes.join('\n').toLowerCase()).toContain(notesContains.toLowerCase());
    if (error !== undefined) {
      const { message, detail, messagePattern } = error;
      const [first] = body._status.messages;
      if (message !== undefined) expect(first.message).toBe(message);
      if (detail !== undefined) expect(first.detail).toBe(detail);
      if (messagePattern !== undefined) expect(`${first.message}\n${first.detail}`).toContain(messagePattern);
    }
  });

  const priced = cases.filter(({ expected }) => expected.status === 200);
  test.each(priced.map((each) => [each.name, each] as const))('%s: size and signatures', (_name, each) => {
    const { byteLength, signatureCount } = decodeTransaction(Buffer.from(each.request.bodyHex, 'hex'));
    expect({ bytes: byteLength, signatures: signatureCount }).toEqual({
      bytes: each.facts?.bytes,
      signatures: each.facts?.signatures,
    });
  });
});

/** Only what these cases need of the specification's case format. */
interface SeedCase {
  readonly name: string;
  readonly request: {
    readonly method: 'POST';
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly headers: Readonly<Record<string, string>>;
    readonly bodyHex?: string;
    readonly bodyJson?: unknown;
  };
  readonly expect: { readonly status: number; readonly schema?: string; readonly errorShape?: string };
}

describeShared('POST /api/v1/network/fees, cases of the specification', () => {
  const path = sharedPath('cases', 'seed', 'fee-estimate.json');
  const seed = JSON.parse(readFileSync(path, 'utf8')) as readonly SeedCase[];
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await buildFeeApp();
  });
  afterAll(() => app.close());

  test.each(seed.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    const { path, query = {}, headers, bodyHex, bodyJson } = each.request;
    const response = await app.inject({
      method: 'POST',
      url: path,
      query,
      headers,
      payload: bodyHex === undefined ? JSON.stringify(bodyJson) : Buffer.from(bodyHex, 'hex'),
    });
    expect(response.statusCode).toBe(each.expect.status);
    const schema = each.expect.errorShape === undefined ? each.expect.schema : 'error-c.json';
    const validate = await seedSchema(schema ?? '');
    expect(validate(response.json()), JSON.stringify(validate.errors)).toBe(true);
  });
});

async function seedSchema(name: string) {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const schemas = sharedPath('cases', 'seed', 'schemas');
  const ajv = new Ajv2020({ strict: false });
  for (const file of ['fee-estimate.json', 'fee-estimate-fallback.json', 'error-c.json']) {
    ajv.addSchema(JSON.parse(readFileSync(`${schemas}/${file}`, 'utf8')), file);
  }
  const validate = ajv.getSchema(name);
  if (validate === undefined) throw new Error(`no schema ${name}`);
  return validate;
}

function knownEntities({ state }: FeeCase): KnownEntities {
  return {
    tokens: Object.fromEntries(
      (state?.tokens ?? []).map((token) => [
        token.token_id,
        { kind: token.type, customFeeCount: token.custom_fees },
      ]),
    ),
    topics: Object.fromEntries(
      (state?.topics ?? []).map((topic) => [topic.topic_id, { fixedFeeCount: topic.custom_fees }]),
    ),
  };
}

function post(app: FastifyInstance, request: FeeCase['request']) {
  const throttle = request.high_volume_throttle;
  return app.inject({
    method: 'POST',
    url: '/api/v1/network/fees',
    query: {
      ...(request.mode === undefined ? {} : { mode: request.mode }),
      ...(throttle === undefined || throttle === 0 ? {} : { high_volume_throttle: String(throttle) }),
    },
    headers: { 'content-type': request.content_type ?? 'application/protobuf' },
    payload: Buffer.from(request.bodyHex, 'hex'),
  });
}
