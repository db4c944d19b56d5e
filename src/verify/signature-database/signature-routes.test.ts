import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompilation, aMatch } from '../../../test/kit/verify/a-verification.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import { storeMatch } from '../../../test/kit/verify/store-match.ts';
import { systemClock } from '../../values/clock.ts';
import type { Hex } from '../../values/hex.ts';
import { readSignatures } from '../signatures.ts';
import { createSignatureCounter } from './signature-routes.ts';

const TOKEN_ABI = [
  aFunction('transfer', 'address', 'uint256'),
  aFunction('transferFrom', 'address', 'address', 'uint256'),
  { ...aFunction('Transfer', 'address', 'address', 'uint256'), type: 'event' },
  { ...aFunction('NotEnough', 'uint256'), type: 'error' },
];
/** Has the selector of `transfer(address,uint256)`. */
const COLLIDING = aFunction('many_msg_babbage', 'bytes1');

const TRANSFER = '0xa9059cbb';
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const NOT_ENOUGH = `0x${readSignatures([TOKEN_ABI[3]])[0]?.hash.slice(0, 8)}`;

function aFunction(name: string, ...types: readonly string[]) {
  return { type: 'function', name, inputs: types.map((type) => ({ type })) };
}

const named = (name: string) => ({ name, filtered: false, hasVerifiedContract: true });

let served: ServedArea;
beforeAll(async () => {
  served = await serveArea({ runningJobs: 0 });
  await verify(1, [COLLIDING]);
  await verify(2, TOKEN_ABI);
  await verify(3, [...TOKEN_ABI.slice(0, 1), aFunction('step')]);
});
afterAll(() => served.close());

function verify(number: number, abi: readonly unknown[]): Promise<void> {
  const compilation = { ...aCompilation({ comment: String(number) }), abi };
  const address = `0x${String(number).repeat(40)}` as Hex;
  const match = aMatch({ compilation, runtime: 'match', creation: null });
  return storeMatch(served.store, { address }, match);
}

async function ask(path: string) {
  const answer = await served.app.inject(`/signature-database/v1/${path}`);
  return { status: answer.statusCode, body: answer.json() };
}

describe('GET /signature-database/v1/lookup', () => {
  test('finds functions, events and errors; the common signature of a selector comes first', async () => {
    const { status, body } = await ask(
      `lookup?function=${TRANSFER}&event=${TRANSFER_TOPIC}&error=${NOT_ENOUGH}&filter=true`,
    );
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        result: {
          function: { [TRANSFER]: [named('transfer(address,uint256)'), named('many_msg_babbage(bytes1)')] },
          event: { [TRANSFER_TOPIC]: [named('Transfer(address,address,uint256)')] },
          error: { [NOT_ENOUGH]: [named('NotEnough(uint256)')] },
        },
      },
    ]);
  });

  test('an error is found as a function too, since clients cannot tell', async () => {
    const { body } = await ask(`lookup?function=${NOT_ENOUGH}`);
    expect(body.result.function).toEqual({ [NOT_ENOUGH]: [named('NotEnough(uint256)')] });
  });

  test('several hashes, in any letter case, come back as they were written', async () => {
    const upper = `0x${TRANSFER.slice(2).toUpperCase()}`;
    const topic = `0x${'0'.repeat(64)}`;
    const { body } = await ask(`lookup?function=${upper},0x00000000&function=${TRANSFER}&event=${topic}`);
    expect(Object.keys(body.result.function)).toEqual([upper, '0x00000000', TRANSFER]);
    // As the public databases answer: null for an unknown selector, an empty list for an unknown topic.
    expect([body.result.function['0x00000000'], body.result.event[topic]]).toEqual([null, []]);
  });

  test('empty and unknown parameters are passed over', async () => {
    expect(await ask('lookup?function=&event=&filter=&_=1')).toEqual({
      status: 200,
      body: { ok: true, result: { function: {}, event: {}, error: {} } },
    });
  });

  test.each(['function=0x1234', 'event=transfer', 'error=0xzzzzzzzz', `function=${TRANSFER},x`])(
    '%s is refused',
    async (query) => {
      const { status, body } = await ask(`lookup?${query}`);
      expect([status, body.ok]).toEqual([400, false]);
      expect(body.error).toContain(`request/query/${query.split('=')[0]} must list hashes`);
    },
  );
});

describe('GET /signature-database/v1/search', () => {
  test.each([
    ['transfer*', ['transfer(address,uint256)', 'transferFrom(address,address,uint256)'], []],
    ['?ransfer(*', ['transfer(address,uint256)'], ['Transfer(address,address,uint256)']],
    [
      '*uint256)',
      ['transfer(address,uint256)', 'transferFrom(address,address,uint256)'],
      ['Transfer(address,address,uint256)'],
    ],
    ['step()', ['step()'], []],
    ['Step()', [], []],
    ['transfer_', [], []],
  ])('%s', async (query, functions, events) => {
    const { status, body } = await ask(`search?query=${encodeURIComponent(query)}&filter=false`);
    const names = (group: Record<string, readonly { name: string }[]>) =>
      Object.values(group)
        .flat()
        .map(({ name }) => name);
    expect(status).toBe(200);
    expect([names(body.result.function), names(body.result.event)]).toEqual([functions, events]);
  });

  test('is keyed by selectors and topics', async () => {
    const { body } = await ask('search?query=*ransfer(*');
    expect(Object.keys(body.result.function)).toEqual([TRANSFER]);
    expect(Object.keys(body.result.event)).toEqual([TRANSFER_TOPIC]);
  });

  test.each(['', 'query=', 'query=a;b', `query=${'a'.repeat(201)}`])('"%s" is refused', async (query) => {
    const { status, body } = await ask(`search?${query}`);
    expect([status, body.ok]).toEqual([400, false]);
    expect(body.error).toContain('request/query/query must be a signature');
  });
});

test('GET /signature-database/v1/stats counts each signature once', async () => {
  const { status, body } = await ask('stats');
  expect(status).toBe(200);
  expect(body).toEqual({
    ok: true,
    result: {
      count: { function: 4, event: 1, error: 1 },
      metadata: { refreshed_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    },
  });
});

test('names that nobody could read are left out, however well they are verified', async () => {
  const name = `long${'x'.repeat(2050)}`;
  await verify(5, [aFunction(name), aFunction(name.slice(0, 2000))]);
  const hash = readSignatures([aFunction(name)])[0]?.hash;
  const selector = `0x${hash?.slice(0, 8)}`;
  expect((await ask(`lookup?function=${selector}`)).body.result.function).toEqual({ [selector]: null });
  const { body } = await ask('search?query=long*');
  expect(Object.values(body.result.function)).toEqual([[named(`${name.slice(0, 2000)}()`)]]);
});

test('counting and searching go through more signatures than are read at once', async () => {
  const many = Array.from({ length: 4500 }, (_, index) => aFunction(`many${index}`));
  await verify(4, many);
  const { body } = await ask('search?query=*4499()');
  expect(Object.values(body.result.function)).toEqual([[named('many4499()')]]);
  const all = await ask('search?query=many*');
  expect(Object.values(all.body.result.function).flat()).toHaveLength(100);
  const count = createSignatureCounter(served.area.repositories.signatures, systemClock);
  expect((await count()).kinds).toEqual({ function: 4505, event: 1, error: 1 });
});
