import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import type { UnitHeader } from '../ledger/rows.ts';

const START = 1_700_000_000_000_000_000n;
const SECOND = 1_000_000_000n;
const hashOf = (number: number) => new Uint8Array(48).fill(number).fill(255, 32);
const HASH_OF_12 = `${'0c'.repeat(32)}${'ff'.repeat(16)}`;

interface Blocks {
  readonly blocks: readonly { readonly number: number }[];
  readonly links: { readonly next: string | null };
}

/** Blocks 10 to 14, each of two transactions, `2 * number` and `2 * number + 1` seconds after the start; then a fixture. */
async function store({ area }: MirrorApp): Promise<void> {
  for (let number = 10; number < 15; number++) {
    const first = START + BigInt(2 * number) * SECOND;
    const unit = fixtureUnit(`${number}`, {
      transactions: [aTransaction(first), aTransaction(first + SECOND)],
      gas:
        number === 14
          ? null
          : {
              used: number === 13 ? -1n : 21_000n,
              bloom: number === 12 ? new Uint8Array(256).fill(1) : null,
              receiptsRoot: null,
            },
    });
    const header: UnitHeader = {
      ...unit.header,
      kind: 'record',
      name: `${number}.rcd`,
      version: 6,
      hapiVersion: '0.60.1',
      blockNumber: BigInt(number),
      hash: hashOf(number),
      previousHash: hashOf(number - 1),
      size: 100 + number,
    };
    await area.ledger.commitUnit({ ...unit, header });
  }
  await area.ledger.commitUnit(
    fixtureUnit('fixture', { transactions: [aTransaction(START + 100n * SECOND)] }),
  );
}

let spec: MirrorApp;
let hiero: MirrorApp;
beforeAll(async () => {
  spec = await buildMirrorApp();
  hiero = await buildMirrorApp({ dialect: 'hiero' });
  await store(spec);
  await store(hiero);
});
afterAll(async () => {
  await spec.close();
  await hiero.close();
});

const get = (path: string, mirror = spec) => mirror.app.inject(`/api/v1/${path}`);
const numbersOf = async (query: string, mirror = spec) => {
  const answer = await get(`blocks${query}`, mirror);
  expect(answer.statusCode, answer.body).toBe(200);
  return (answer.json() as Blocks).blocks.map(({ number }) => number);
};
const nextOf = async (query: string, mirror: MirrorApp) =>
  ((await get(`blocks${query}`, mirror)).json() as Blocks).links.next;

describe('GET /api/v1/blocks', () => {
  test.each([
    ['', [14, 13, 12, 11, 10]],
    ['?block.number=gt:0xB&order=asc', [12, 13, 14]],
    ['?block.number=0xa&block.number=eq:0x0d', [13, 10]],
    ['?block.number=0xffffffffffffffff', []],
    ['?block.number=lt:0x8000000000000000&limit=1', [14]],
    ['?order=asc&limit=2', [10, 11]],
    ['?block.number=12', [12]],
    ['?block.number=12&block.number=10', [12, 10]],
    ['?block.number=gt:11&block.number=lte:13', [13, 12]],
    ['?block.number=ne:12&limit=3', [14, 13, 11]],
    ['?block.number=gt:14', []],
    ['?block.number=lt:0', []],
    // Never the block that holds a time.
    ['?timestamp=1700000024', []],
    ['?timestamp=1700000024.5', []],
    ['?timestamp=eq:1700000025', [12]],
    ['?timestamp=1700000025&timestamp=eq:1700000025', [12]],
    ['?timestamp=1700000025&block.number=lt:12', []],
    ['?timestamp=1700000025&timestamp=gt:1700000024', [12]],
    ['?timestamp=1700000025&timestamp=lt:1700000025', []],
    ['?timestamp=1700000025&timestamp=ne:1700000025', []],
    ['?timestamp=1700000025.5', []],
    ['?timestamp=1700000024&timestamp=1700000025', []],
    ['?timestamp=9999999999.999999999', []],
    ['?timestamp=1700000100', []],
    ['?timestamp=gte:1700000024.000000001&limit=1&order=asc', [12]],
    ['?timestamp=gt:1700000025&limit=1&order=asc', [13]],
    ['?timestamp=lt:1700000025', [11, 10]],
    ['?timestamp=ne:1700000025&limit=3', [14, 13, 11]],
    ['?timestamp=gt:1700000023&block.number=lt:14', [13, 12]],
    ['?timestamp=gt:1700000023&timestamp=lt:1700000023', []],
  ])('%s lists %j', async (query, expected) => {
    expect(await numbersOf(query)).toEqual(expected);
  });

  test.each([
    ['?limit=2', '/api/v1/blocks?limit=2&block.number=lt:13', '/api/v1/blocks?limit=2&block.number=lt:13'],
    ['?limit=5', null, '/api/v1/blocks?limit=5&block.number=lt:10'],
    ['?limit=5&block.number=gte:10', null, null],
    ['?order=asc&limit=1&block.number=14', null, null],
    [
      '?order=asc&block.number=14&block.number=11&limit=1',
      '/api/v1/blocks?order=asc&block.number=14&block.number=11&block.number=gt:11&limit=1',
      '/api/v1/blocks?order=asc&block.number=14&block.number=11&block.number=gt:11&limit=1',
    ],
    ['?timestamp=1700000025&limit=1', null, '/api/v1/blocks?timestamp=1700000025&limit=1&block.number=lt:12'],
  ])('%s is followed by %s, in the other dialect by %s', async (query, inSpec, inHiero) => {
    expect(await nextOf(query, spec)).toBe(inSpec);
    expect(await nextOf(query, hiero)).toBe(inHiero);
  });

  test.each(['asc', 'desc'])('following the links in order %s visits every block once', async (order) => {
    for (const mirror of [spec, hiero]) {
      const seen: number[] = [];
      let next: string | null = `/api/v1/blocks?limit=2&order=${order}`;
      while (next !== null) {
        const query: string = next.slice('/api/v1/blocks'.length);
        seen.push(...(await numbersOf(query, mirror)));
        next = await nextOf(query, mirror);
      }
      expect(seen).toEqual(order === 'asc' ? [10, 11, 12, 13, 14] : [14, 13, 12, 11, 10]);
    }
  });

  test.each([
    ['?block.number=x', 'Invalid parameter: block.number'],
    ['?block.number=9223372036854775808', 'Invalid parameter: block.number'],
    ['?block.number=-1', 'Invalid parameter: block.number'],
    ['?block.number=gt:-1', 'Invalid parameter: block.number'],
    ['?timestamp=x', 'Invalid parameter: timestamp'],
    ['?limit=0', 'Invalid parameter: limit'],
    ['?limit=101', 'Invalid parameter: limit'],
    ['?order=up', 'Invalid parameter: order'],
    ['?size=1', 'Unknown query parameter: size'],
  ])('%s is refused: %s', async (query, message) => {
    const answer = await get(`blocks${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ _status: { messages: [{ message }] } });
  });

  test('more than the maximum is capped in the other dialect', async () => {
    expect(await numbersOf('?limit=1000', hiero)).toHaveLength(5);
  });

  test('pages have a tag, a short life and a link header', async () => {
    const first = await get('blocks?limit=2');
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=1',
      link: '</api/v1/blocks?limit=2&block.number=lt:13>; rel="next"',
      'x-last-block-consensus-timestamp': '1700000100.000000000',
    });
    const again = await spec.app.inject({
      url: '/api/v1/blocks/?limit=2',
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    // What is known of a block may grow with a rebuild.
    expect((await get('blocks/13')).headers['cache-control']).toBe('public, max-age=1');
  });
});

describe('a network that began anew', () => {
  let anew: MirrorApp;
  /** Blocks 0 to 5 of the first network, then 0 to `last` of the second, each with one transaction. */
  async function storeTwice(last: number): Promise<void> {
    anew = await buildMirrorApp();
    const numbers = [0, 1, 2, 3, 4, 5, ...Array.from({ length: last + 1 }, (_, number) => number)];
    for (const [index, number] of numbers.entries()) {
      const unit = fixtureUnit(`${index}`, { transactions: [aTransaction(START + BigInt(index) * SECOND)] });
      const header: UnitHeader = {
        ...unit.header,
        kind: 'record',
        name: `${index}.rcd`,
        version: 6,
        blockNumber: BigInt(number),
        hash: hashOf(index),
        previousHash: number === 0 ? new Uint8Array(48) : hashOf(index - 1),
      };
      await anew.area.ledger.commitUnit({ ...unit, header });
    }
  }
  afterEach(() => anew.close());

  test.each([
    [2, 'desc', [2, 1, 0]],
    [2, 'asc', [0, 1, 2]],
    [7, 'desc', [7, 6, 5, 4, 3, 2, 1, 0]],
    [7, 'asc', [0, 1, 2, 3, 4, 5, 6, 7]],
  ])('at its block %d, pages in order %s show its blocks once', async (last, order, expected) => {
    await storeTwice(last);
    const seen: string[] = [];
    for (let next: string | null = `/api/v1/blocks?limit=2&order=${order}`; next !== null; ) {
      const answer = await anew.app.inject(next);
      const body: { blocks: { name: string }[]; links: { next: string | null } } = answer.json();
      seen.push(...body.blocks.map(({ name }) => name));
      next = body.links.next;
    }
    expect(seen).toEqual(expected.map((number) => `${number + 6}.rcd`));
  });

  test('finds older blocks by hash and by a number that it has not reached', async () => {
    await storeTwice(2);
    const nameOf = async (path: string) => ((await get(path, anew)).json() as { name: string }).name;
    const namesOf = async (query: string) =>
      ((await get(`blocks${query}`, anew)).json() as { blocks: { name: string }[] }).blocks.map(
        ({ name }) => name,
      );
    expect(await nameOf('blocks/1')).toBe('7.rcd');
    expect(await nameOf('blocks/4')).toBe('4.rcd');
    expect(await nameOf(`blocks/${'01'.repeat(32)}`)).toBe('1.rcd');
    expect(await namesOf('?block.number=1&block.number=4')).toEqual(['4.rcd', '7.rcd']);
    expect(await namesOf('?block.number=gt:2')).toEqual([]);
    expect(await namesOf('?block.number=lte:9&limit=1')).toEqual(['8.rcd']);
  });
});

describe('GET /api/v1/blocks/{hashOrNumber}', () => {
  const twelve = {
    count: 2,
    gas_used: 21_000,
    hapi_version: '0.60.1',
    hash: `0x${HASH_OF_12}`,
    logs_bloom: `0x${'01'.repeat(256)}`,
    name: '12.rcd',
    number: 12,
    previous_hash: `0x${'0b'.repeat(32)}${'ff'.repeat(16)}`,
    receipts_root: null,
    size: 112,
    timestamp: { from: '1700000024.000000000', to: '1700000025.000000000' },
  };

  test.each([
    '12',
    '0012',
    HASH_OF_12,
    `0x${HASH_OF_12}`,
    `0x${HASH_OF_12.toUpperCase()}`,
    HASH_OF_12.slice(0, 64),
    `0x${HASH_OF_12.slice(0, 64)}`,
    '0xc',
    '0x000C',
  ])('%s is the block', async (path) => {
    const answer = await get(`blocks/${path}`);
    expect(answer.json()).toEqual(twelve);
  });

  test('gas and filter are told as far as they are known', async () => {
    expect((await get('blocks/11')).json()).toMatchObject({ gas_used: 21_000, logs_bloom: '0x' });
    expect((await get('blocks/13')).json()).toMatchObject({ gas_used: null, logs_bloom: '0x' });
    expect((await get('blocks/14')).json()).toMatchObject({ gas_used: null, logs_bloom: null });
  });

  test.each([
    ['99', 404, 'Not found'],
    ['-1', 400, 'Invalid parameter: hashOrNumber'],
    // As files before version 6 have them, which the list names in its links.
    ['-9223372036854775797', 404, 'Not found'],
    ['-9223372036854775809', 400, 'Invalid parameter: hashOrNumber'],
    ['0c'.repeat(48), 404, 'Not found'],
    ['00'.repeat(32), 404, 'Not found'],
    ['abc', 400, 'Invalid parameter: hashOrNumber'],
    ['0xffffffffffffffff', 404, 'Not found'],
    ['9223372036854775808', 400, 'Invalid parameter: hashOrNumber'],
    ['0X0c', 400, 'Invalid parameter: hashOrNumber'],
    ['12?timestamp=1', 400, 'Unknown query parameter: timestamp'],
  ])('%s is answered %d %s', async (path, status, message) => {
    const answer = await get(`blocks/${path}`);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual({ _status: { messages: [{ message }] } });
  });
});
