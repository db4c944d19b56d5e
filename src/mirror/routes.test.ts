import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedUnit } from '../../test/kit/mirror/ledger/stored-unit.ts';
import { aTransaction, aTransfer } from '../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../test/kit/mirror/mirror-app.ts';
import { networkState } from '../../test/kit/mirror/seed-fixtures.ts';
import { consensusTimestamp } from '../values/consensus-timestamp.ts';
import { entityId } from '../values/entity-id.ts';
import { fixtureUnit } from './ledger/fixture-unit.ts';

const START = 1_700_000_000_000_000_000n;
const EVM_ADDRESS = 'ab'.repeat(20);

interface ListBody {
  readonly transactions: readonly Readonly<Record<string, unknown>>[];
  readonly links: { readonly next: string | null };
}

const richTransaction = aTransaction(START + 3n, {
  type: 11,
  entityId: entityId(2000n),
  node: entityId(3n),
  chargedFee: 9_223_372_036_854_775_807n,
  maxFee: 33n,
  validDurationSeconds: 120n,
  hash: Buffer.from(Array.from({ length: 48 }, (_, index) => 255 - index)),
  memo: Buffer.from([0xff, 0x00]),
  transfers: [aTransfer(800n, -5n), aTransfer(1002n, 5n)],
  stakingRewards: [{ account: entityId(1002n), amount: 5n }],
  assessedCustomFees: [
    { amount: 2n, collector: entityId(9n), token: null, effectivePayers: [entityId(1n)] },
    { amount: 1n, collector: entityId(9n), token: entityId(8n), effectivePayers: [] },
  ],
});

const unit = fixtureUnit('a', {
  transactions: [aTransaction(START + 1n), aTransaction(START + 2n, { result: 10 }), richTransaction],
  entities: [
    {
      entity: entityId(1002n),
      type: 'ACCOUNT',
      alias: null,
      evmAddress: Buffer.from(EVM_ADDRESS, 'hex'),
      createdTimestamp: consensusTimestamp(START),
    },
  ],
});

async function store({ area }: MirrorApp): Promise<void> {
  await area.ledger.commitUnit(unit);
}

describe('GET /api/v1/transactions', () => {
  let spec: MirrorApp;
  let hiero: MirrorApp;
  let empty: MirrorApp;

  beforeAll(async () => {
    spec = await buildMirrorApp();
    hiero = await buildMirrorApp({ dialect: 'hiero' });
    empty = await buildMirrorApp();
    await store(spec);
    await store(hiero);
  });
  afterAll(async () => {
    for (const mirror of [spec, hiero, empty]) await mirror.close();
  });

  const get = async (query: string, mirror = spec) => mirror.app.inject(`/api/v1/transactions${query}`);
  const times = async (query: string) =>
    ((await get(query)).json() as ListBody).transactions.map((row) => row['consensus_timestamp']);

  test('64-bit numbers keep all their digits', async () => {
    expect((await get('?limit=1')).body).toContain('"charged_tx_fee":9223372036854775807,');
  });

  test('the dialects differ in exactly the documented members', async () => {
    const [a, b] = await Promise.all([get('?limit=1', spec), get('?limit=1', hiero)]);
    const [first] = (a.json() as ListBody).transactions;
    const [second] = (b.json() as ListBody).transactions;
    expect(first).toMatchObject({
      max_fee: 33,
      valid_duration_seconds: 120,
      staking_reward_transfers: [{ account: 1002, amount: 5 }],
    });
    expect(second).toMatchObject({
      batch_key: null,
      max_fee: '33',
      valid_duration_seconds: '120',
      staking_reward_transfers: [{ account: '0.0.1002', amount: 5 }],
    });
    expect(first).not.toHaveProperty('batch_key');
    const dialectMembers = ['batch_key', 'max_fee', 'valid_duration_seconds', 'staking_reward_transfers'];
    const rest = (row: object | undefined) =>
      Object.entries(row ?? {}).filter(([name]) => !dialectMembers.includes(name));
    expect(rest(first)).toEqual(rest(second));
  });

  test('links begin with a base when one is configured, and can be followed', async () => {
    const linkBase = 'https://mirror.example';
    const hosted = await buildMirrorApp({ linkBase, dialect: 'hiero' });
    try {
      await store(hosted);
      for (const path of ['transactions', 'accounts/0.0.1002', 'balances']) {
        const answer = await hosted.app.inject(`/api/v1/${path}?limit=1`);
        const { next } = (answer.json() as ListBody).links;
        expect(next, path).toMatch(/^https:\/\/mirror\.example\/api\/v1\//);
        expect(answer.headers['link']).toBe(`<${next}>; rel="next"`);
        expect((await hosted.app.inject(String(next))).statusCode).toBe(200);
      }
    } finally {
      await hosted.close();
    }
  });

  test('a full last page ends in spec and leads to an empty page in hiero', async () => {
    expect(((await get('?limit=3', spec)).json() as ListBody).links.next).toBeNull();
    const answer = await get('?limit=3', hiero);
    const next = '/api/v1/transactions?limit=3&timestamp=lt:1700000000.000000001';
    expect(answer.json()).toMatchObject({ links: { next } });
    expect(answer.headers['link']).toBe(`<${next}>; rel="next"`);
    expect((await hiero.app.inject(next)).json()).toEqual({ transactions: [], links: { next: null } });
  });

  test.each([
    ['spec', 400],
    ['hiero', 200],
  ] as const)('a limit above 100 answers as dialect %s says: %d', async (dialect, status) => {
    expect((await get('?limit=101', dialect === 'spec' ? spec : hiero)).statusCode).toBe(status);
  });

  test.each([
    ['', ['3', '2', '1']],
    ['?order=ASC', ['1', '2', '3']],
    ['?ORDER=asc&Limit=2', ['1', '2']],
    ['?result=FAIL', ['2']],
    ['?account.id=0.0.1002', ['3']],
    [`?account.id=0x${EVM_ADDRESS.toUpperCase()}`, ['3']],
    ['?account.id=0x00000000000000000000000000000000000003ea', ['3']],
    [`?account.id=${'cd'.repeat(20)}`, []],
    ['?account.id=1234567890.1234567890.1234567890', []],
    ['?account.id=gte:1234567890.1234567890.1234567890', []],
    ['?account.id=lt:1234567890.1234567890.1234567890', ['3', '2', '1']],
    ['?account.id=ne:1234567890.1234567890.1234567890', ['3', '2', '1']],
    ['?account.id=gt:5&account.id=lt:5', []],
    ['?timestamp=9999999999', []],
    ['?timestamp=lte:9999999999.999999999', ['3', '2', '1']],
    ['?timestamp=gt:9999999999.999999999', []],
    ['?timestamp[0]=gt:1700000000.000000002', ['3']],
    ['?timestamp=gte%3A1700000000.000000002&order=asc', ['2', '3']],
    ['?timestamp=ne:1700000000.000000002', ['3', '1']],
    ['?timestamp=1700000000.000000001&timestamp=1700000000.000000002', []],
    ['?timestamp=eq:1700000000.000000001&timestamp=1700000000.000000001', ['1']],
    ['?transactiontype=cryptocreateaccount', ['3']],
    ['?transactiontype=REGISTEREDNODECREATE', []],
    ['?transactiontype=CRSPUBLICATION', []],
    ['?type=credit', ['3']],
    ['?type=credit&type=debit', []],
    ['/', ['3', '2', '1']],
  ])('%s selects %j', async (query, expected) => {
    expect(await times(query)).toEqual(expected.map((nanos) => `1700000000.00000000${nanos}`));
  });

  test.each([
    ['?limit=0', ['Invalid parameter: limit']],
    ['?limit=', ['Invalid parameter: limit']],
    ['?limit=1e1', ['Invalid parameter: limit']],
    ['?timestamp[ne]=5', ['Invalid parameter: timestamp']],
    ['?timestamp=GT:5', ['Invalid parameter: timestamp']],
    ['?timestamp=x:gt:5', ['Invalid parameter: timestamp']],
    ['?timestamp=1.1234567890', ['Invalid parameter: timestamp']],
    ['?transactiontype=UNKNOWN', ['Invalid parameter: transactiontype']],
    ['?account.id=-1', ['Invalid entity ID "0.0.-1"']],
    ['?account.id=274877906944', ['Invalid entity ID "0.0.274877906944"']],
    ['?account.id=70000.5', ['Invalid entity ID "70000.5"']],
    ['?constructor=1', ['Unknown query parameter: constructor']],
    ['?=1', ['Unknown query parameter: ']],
    [
      '?foo=1&order=x&limit=y',
      ['Invalid parameter: order', 'Invalid parameter: limit', 'Unknown query parameter: foo'],
    ],
    [
      `?limit=x&${Array.from({ length: 101 }, () => 'type=credit').join('&')}`,
      [
        'Parameter values count exceeds maximum number allowed: type count: 101 max: 100',
        'Invalid parameter: limit',
      ],
    ],
  ])('%s answers with the messages %j', async (query, expected) => {
    const answer = await get(query);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ _status: { messages: expected.map((message) => ({ message })) } });
    expect(answer.headers['cache-control']).toBeUndefined();
    expect(answer.headers['x-last-block-consensus-timestamp']).toBeUndefined();
  });

  test('the answer can be revalidated and tells how far the ledger is', async () => {
    const first = await get('?limit=2');
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=2',
      'content-type': 'application/json; charset=utf-8',
      'x-last-block-consensus-timestamp': '1700000000.000000003',
    });
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^W\/"[^"]+"$/);
    for (const given of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const again = await spec.app.inject({
        url: '/api/v1/transactions?limit=2',
        headers: { 'if-none-match': given },
      });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    const other = await spec.app.inject({
      url: '/api/v1/transactions?limit=1',
      headers: { 'if-none-match': etag },
    });
    expect(other.statusCode).toBe(200);
  });

  test('the tag changes with the stored rows, and differs between ledgers with the same times', async () => {
    const tagOf = async (mirror: MirrorApp) => String((await get('?limit=2', mirror)).headers['etag']);
    const before = await tagOf(spec);
    expect(await tagOf(spec)).toBe(before);
    const other = await buildMirrorApp();
    try {
      await store(other);
      expect(await tagOf(other)).not.toBe(before);
    } finally {
      await other.close();
    }
    await spec.store.rebuild().units.rewrite(storedUnit({ ...unit, gas: null }));
    spec.clock.advance(500);
    expect(await tagOf(spec)).not.toBe(before);
  });

  test('HEAD answers as GET without a body', async () => {
    const answer = await spec.app.inject({ method: 'HEAD', url: '/api/v1/transactions' });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
    expect(answer.headers['cache-control']).toBe('public, max-age=2');
  });

  test('a link that echoes text beyond ASCII is a valid header', async () => {
    // The long s becomes S in upper case, so this names a type.
    const answer = await get(`?limit=1&transactiontype=${encodeURIComponent('cryptotran\u017Ffer')}`, hiero);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['link']).toContain('transactiontype=cryptotran%C5%BFfer&timestamp=lt:');
  });

  test('an empty ledger lists nothing and tells no watermark', async () => {
    const answer = await get('', empty);
    expect(answer.json()).toEqual({ transactions: [], links: { next: null } });
    expect(answer.headers['x-last-block-consensus-timestamp']).toBeUndefined();
  });

  describe('GET /api/v1/transactions/{id or hash}', () => {
    const hash = Buffer.from(richTransaction.hash ?? []);
    test.each([
      '0.0.1001-1700000000-000000002',
      '0.0.1001-1700000000-2',
      '0.0.1001@1700000000.000000002',
      hash.toString('hex'),
      `0x${hash.toString('hex').toUpperCase()}`,
      hash.toString('base64url'),
      encodeURIComponent(hash.toString('base64')),
    ])('%s finds the transaction with its assessed fees in order', async (key) => {
      const answer = await get(`/${key}`);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('public, max-age=600');
      expect((answer.json() as ListBody).transactions).toMatchObject([
        {
          transaction_id: '0.0.1001-1700000000-000000002',
          assessed_custom_fees: [
            { amount: 1, collector_account_id: '0.0.9', effective_payer_account_ids: [], token_id: '0.0.8' },
            {
              amount: 2,
              collector_account_id: '0.0.9',
              effective_payer_account_ids: ['0.0.1'],
              token_id: null,
            },
          ],
        },
      ]);
    });

    test.each([
      ['0.0.1001-1-1', 404],
      ['00'.repeat(48), 404],
      ['0.0.1001', 400],
      [`0X${'00'.repeat(48)}`, 400],
      ['0.0.99999999999999-1-1', 400],
      ['0.0.1-9999999999999999999-1', 400],
    ])('%s answers %d', async (key, status) => {
      expect((await get(`/${key}`)).statusCode).toBe(status);
    });
  });
});

describe('GET /api/v1/network', () => {
  let mirror: MirrorApp;
  let strict: MirrorApp;

  beforeAll(async () => {
    mirror = await buildMirrorApp();
    strict = await buildMirrorApp({ earliestValue: false, currencyFormat: 'TINYBARS' });
    for (const { area } of [mirror, strict]) await area.ledger.commitUnit(fixtureUnit('n', networkState()));
  });
  afterAll(async () => {
    await mirror.close();
    await strict.close();
  });

  const get = (path: string, from = mirror) => from.app.inject(`/api/v1/network/${path}`);

  test.each([
    'supply?timestamp=1600000000',
    'exchangerate?timestamp=eq:1600000000.5',
    'fees?timestamp=1600000000',
  ])('%s before all data answers the earliest value, or 404 when that is off', async (path) => {
    expect((await get(path)).statusCode).toBe(200);
    expect((await get(path, strict)).statusCode).toBe(404);
  });

  test.each([
    'supply?timestamp=lt:1600000000',
    'exchangerate?timestamp=lte:1600000000',
    'fees?timestamp=lte:1600000000',
  ])('%s before all data is 404 in any case', async (path) => {
    const answer = await get(path);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ _status: { messages: [{ message: 'Not found' }] } });
  });

  test('the text forms of the supply are exactly one number', async () => {
    const circulating = await get('supply?q=circulating');
    expect(circulating.body).toBe('10000000000.00000000');
    expect(circulating.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect((await get('supply?q=totalcoins', strict)).body).toBe('5000000000000000000');
  });

  test('gas prices are floored tinybars', async () => {
    expect((await get('fees?order=DESC')).json()).toEqual({
      fees: ['EthereumTransaction', 'ContractCreate', 'ContractCall'].map((transaction_type) => ({
        gas: 89,
        transaction_type,
      })),
      timestamp: '1700000002.000000000',
    });
  });

  test.each([
    ['supply?timestamp=gt:2&timestamp=lt:1', 'Lower timestamp cannot be higher than upper timestamp'],
    ['supply?timestamp=ne:1', 'Invalid parameter: Not equals (ne) operator is not supported for timestamp'],
    ['exchangerate?timestamp=ne:1', 'Not equals (ne) operator is not supported for timestamp'],
    ['stake?limit=1', 'Unknown query parameter: limit'],
    ['nodes?file.id=103', 'Invalid parameter: file.id'],
    ['nodes?file.id=gt:102', 'Invalid parameter: file.id'],
    ['nodes?file.id=101&file.id=102', 'Only a single instance is supported for file.id'],
    ['nodes?limit=0', 'Invalid parameter: limit'],
    ['nodes?node.id=-1', 'Invalid parameter: node.id'],
  ])('%s is refused: %s', async (path, message) => {
    const answer = await get(path);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ _status: { messages: [{ message }] } });
  });

  test.each([
    'file.id=102',
    'file.id=0.0.102',
    'file.id=eq:0.102',
    'limit=100',
    'node.id=gte:0&node.id=lt:1',
  ])('nodes?%s lists the node', async (query) => {
    expect((await get(`nodes?${query}`)).json()).toMatchObject({
      nodes: [{ node_id: 0, min_stake: null, max_stake: 5000, file_id: '0.0.102' }],
      links: { next: null },
    });
  });

  test.each(['file.id=101', 'node.id=lt:0', 'node.id=gt:9223372036854775807'])(
    'nodes?%s is an empty list',
    async (query) => {
      const answer = await get(`nodes?${query}`);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ nodes: [], links: { next: null } });
    },
  );

  test('documents are revalidated by their content', async () => {
    const { headers } = await get('stake');
    const again = await mirror.app.inject({
      url: '/api/v1/network/stake',
      headers: { 'if-none-match': String(headers['etag']) },
    });
    expect(again.statusCode).toBe(304);
    expect(headers['cache-control']).toBe('public, max-age=60');
  });
});
