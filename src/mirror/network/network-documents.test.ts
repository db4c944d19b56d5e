import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aStakeUpdate, aTransaction, aTransfer } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { encodeEntityId, entityId } from '../../values/entity-id.ts';
import { type FixtureRows, fixtureUnit } from '../ledger/fixture-unit.ts';
import type { AddressBookEntry, NodeStake } from '../ledger/rows.ts';
import { messages } from '../protobuf/messages.ts';

const SECOND = 1_000_000_000n;
const time = (seconds: bigint) => consensusTimestamp(seconds * SECOND);
const rates = (centEquiv: number) =>
  messages.ExchangeRateSet.encode({
    currentRate: { hbarEquiv: 30_000, centEquiv, expirationTime: { seconds: 5_000_000_000n } },
    nextRate: { hbarEquiv: 30_000, centEquiv: centEquiv + 1, expirationTime: { seconds: 5_000_003_600n } },
  });

const open: MirrorApp[] = [];
async function mirrorOf(
  rows: FixtureRows,
  options: Parameters<typeof buildMirrorApp>[0] = {},
): Promise<MirrorApp> {
  const mirror = await buildMirrorApp(options);
  open.push(mirror);
  await mirror.area.ledger.commitUnit(fixtureUnit('network', rows));
  return mirror;
}
afterAll(async () => {
  for (const mirror of open) await mirror.close();
});

const get = (mirror: MirrorApp, path: string) => mirror.app.inject(`/api/v1/network/${path}`);

function entry(nodeId: bigint, given: Partial<AddressBookEntry> = {}): AddressBookEntry {
  return {
    nodeId,
    nodeAccount: entityId(nodeId + 3n),
    description: null,
    memo: null,
    publicKey: null,
    nodeCertHash: null,
    serviceEndpoints: [],
    ...given,
  };
}

const nodeStake = (nodeId: bigint, given: Partial<NodeStake> = {}): NodeStake => ({
  nodeId,
  maxStake: 5n,
  minStake: 1n,
  rewardRate: 7n,
  stake: 9_007_199_254_740_993n,
  stakeNotRewarded: 2n,
  stakeRewarded: 3n,
  ...given,
});

/** @see contracts/mirror-network.md section 5, fields */
describe('GET /api/v1/network/nodes', () => {
  const rows: FixtureRows = {
    addressBooks: [
      { startTimestamp: consensusTimestamp(1n), file: entityId(102n), entries: [entry(0n), entry(99n)] },
      {
        startTimestamp: consensusTimestamp(5n),
        file: entityId(102n),
        entries: [
          entry(0n, {
            description: 'first | place',
            memo: '0.0.3',
            publicKey: '0x3082',
            nodeCertHash: Buffer.from('ab12', 'utf8'),
            serviceEndpoints: [
              { domainName: '', ipAddressV4: '10.0.0.9', port: 2 },
              { domainName: '', ipAddressV4: '10.0.0.9', port: 1 },
              { domainName: 'a.example.com', ipAddressV4: '', port: 3 },
            ],
          }),
          entry(1n, { nodeAccount: null, nodeCertHash: Uint8Array.of(0x61, 0xff) }),
          ...Array.from({ length: 28 }, (_, index) => entry(BigInt(index + 2), { publicKey: '3082' })),
        ],
      },
    ],
    nodeChanges: [
      {
        nodeId: 0n,
        consensusTimestamp: consensusTimestamp(6n),
        account: entityId(77n),
        adminKey: messages.Key.encode({ ed25519: new Uint8Array(32).fill(7) }),
        declineReward: true,
        grpcProxyEndpoint: { domainName: 'proxy.example.com', ipAddressV4: '', port: 443 },
        associatedRegisteredNodes: [5n, 9_007_199_254_740_993n],
      },
    ],
    stakeUpdates: [
      aStakeUpdate(5n, { nodes: [nodeStake(0n, { stake: 1n }), nodeStake(1n)] }),
      aStakeUpdate(6n, { nodes: [nodeStake(0n, { maxStake: -1n, minStake: -1n, stakeNotRewarded: -1n })] }),
    ],
  };
  let spec: MirrorApp;
  let hiero: MirrorApp;
  beforeAll(async () => {
    spec = await mirrorOf(rows);
    hiero = await mirrorOf(rows, { dialect: 'hiero' });
  });

  test('joins the newest book, the node table and the newest stakes', async () => {
    const answer = await get(spec, 'nodes?limit=2');
    expect(answer.body).toContain('"stake":9007199254740993,');
    expect(answer.body).toContain('[5,9007199254740993]');
    expect(answer.json()).toMatchObject({
      nodes: [
        {
          admin_key: { _type: 'ED25519', key: '07'.repeat(32) },
          decline_reward: true,
          description: 'first | place',
          file_id: '0.0.102',
          grpc_proxy_endpoint: { domain_name: 'proxy.example.com', ip_address_v4: '', port: 443 },
          max_stake: null,
          memo: '0.0.3',
          min_stake: null,
          node_account_id: '0.0.77',
          node_cert_hash: '0xab12',
          node_id: 0,
          public_key: '0x3082',
          reward_rate_start: 7,
          service_endpoints: [
            { domain_name: 'a.example.com', ip_address_v4: '', port: 3 },
            { domain_name: '', ip_address_v4: '10.0.0.9', port: 1 },
            { domain_name: '', ip_address_v4: '10.0.0.9', port: 2 },
          ],
          stake_not_rewarded: null,
          stake_rewarded: 3,
          staking_period: { from: '1654993000.000000000', to: '1655079400.000000000' },
          timestamp: { from: '0.000000005', to: null },
        },
        {
          admin_key: null,
          associated_registered_nodes: [],
          decline_reward: null,
          description: null,
          file_id: '0.0.102',
          grpc_proxy_endpoint: null,
          max_stake: null,
          memo: null,
          min_stake: null,
          node_account_id: null,
          node_cert_hash: '0x',
          node_id: 1,
          public_key: '0x',
          reward_rate_start: null,
          service_endpoints: [],
          stake: null,
          stake_not_rewarded: null,
          stake_rewarded: null,
          staking_period: null,
          timestamp: { from: '0.000000005', to: null },
        },
      ],
    });
  });

  test.each([
    ['', 10, '/api/v1/network/nodes?node.id=gt:9'],
    ['?limit=100', 25, '/api/v1/network/nodes?limit=100&node.id=gt:24'],
    ['?node.id=gt:2&limit=2', 2, '/api/v1/network/nodes?limit=2&node.id=gt:4'],
    ['?node.id=gte:2&node.id=lt:9&limit=2', 2, '/api/v1/network/nodes?node.id=lt:9&node.id=gt:3&limit=2'],
    ['?order=DESC&limit=1', 1, '/api/v1/network/nodes?order=desc&limit=1&node.id=lt:29'],
    ['?node.id=3&limit=1', 1, null],
    ['?node.id=3&node.id=5&limit=1', 1, '/api/v1/network/nodes?node.id=3&node.id=5&node.id=gt:3&limit=1'],
    ['?node.id=lte:1&limit=2', 2, null],
    ['?node.id=ne:0&node.id=lt:3', 2, null],
    ['?node.id=gt:5&node.id=lt:5', 0, null],
  ])('%s lists %d and is followed by %s, in both dialects', async (query, count, next) => {
    for (const mirror of [spec, hiero]) {
      const answer = await get(mirror, `nodes${query}`);
      const body = answer.json() as { readonly nodes: readonly unknown[]; readonly links: unknown };
      expect([body.nodes.length, body.links]).toEqual([count, { next }]);
      expect(answer.headers['link']).toBe(next === null ? undefined : `<${next}>; rel="next"`);
    }
  });

  test.each(['asc', 'desc'])('following the links in order %s visits every node once', async (order) => {
    const seen: number[] = [];
    let next: string | null = `/api/v1/network/nodes?limit=7&order=${order}`;
    while (next !== null) {
      const page: {
        readonly nodes: readonly { readonly node_id: number }[];
        readonly links: { readonly next: string | null };
      } = (await spec.app.inject(next)).json();
      seen.push(...page.nodes.map(({ node_id }) => node_id));
      next = page.links.next;
    }
    const all = Array.from({ length: 30 }, (_, index) => index);
    expect(seen).toEqual(order === 'asc' ? all : all.reverse());
  });
});

/** @see contracts/mirror-network.md section 3, result table */
describe('GET /api/v1/network/exchangerate', () => {
  const versions = [100, 200, 300].map((seconds, index) => ({
    file: entityId(112n),
    consensusTimestamp: time(BigInt(seconds)),
    transactionType: 19 as const,
    contents: rates(index),
  }));
  let mirror: MirrorApp;
  beforeAll(async () => {
    mirror = await mirrorOf({ filePieces: versions }, { earliestValue: false });
  });

  test.each([
    ['', 2],
    ['?timestamp=200', 1],
    ['?timestamp=gt:100', 2],
    ['?timestamp=gte:200', 2],
    ['?timestamp=lt:200', 0],
    ['?timestamp=lte:200', 1],
    ['?timestamp=gt:100&timestamp=lt:300', 1],
    ['?timestamp=eq:200&timestamp=eq:300', 2],
    ['?timestamp=lt:100&timestamp=eq:300', 2],
    ['?timestamp=gte:200&timestamp=lte:200', 1],
  ])('%s uses version %d', async (query, version) => {
    expect((await get(mirror, `exchangerate${query}`)).json()).toEqual({
      current_rate: { cent_equivalent: version, expiration_time: 5_000_000_000, hbar_equivalent: 30_000 },
      next_rate: { cent_equivalent: version + 1, expiration_time: 5_000_003_600, hbar_equivalent: 30_000 },
      timestamp: `${(version + 1) * 100}.000000000`,
    });
  });

  test.each([
    [11, 200],
    [12, 404],
  ])('of %d broken versions after a whole one the answer is %d', async (count, status) => {
    const broken = Array.from({ length: count }, (_, index) => ({
      file: entityId(112n),
      transactionType: 19 as const,
      consensusTimestamp: time(BigInt(200 + index)),
      contents: Buffer.from('broken'),
    }));
    const some = await mirrorOf({ filePieces: [...versions.slice(0, 1), ...broken] });
    expect((await get(some, 'exchangerate')).statusCode).toBe(status);
  });

  test('receipts tell the rates when the file was written before the import began', async () => {
    const rows: FixtureRows = {
      rates: [
        { consensusTimestamp: time(50n), contents: rates(7) },
        { consensusTimestamp: time(60n), contents: rates(7) },
        { consensusTimestamp: time(70n), contents: rates(8) },
      ],
      filePieces: versions,
    };
    const receipts = await mirrorOf(rows);
    const cents = async (query: string) => {
      const { current_rate, timestamp } = (await get(receipts, `exchangerate${query}`)).json();
      return [current_rate.cent_equivalent, timestamp];
    };
    expect(await cents('?timestamp=65')).toEqual([7, '50.000000000']);
    expect(await cents('?timestamp=99')).toEqual([8, '70.000000000']);
    expect(await cents('?timestamp=1')).toEqual([7, '50.000000000']);
    // Once it was written, the file decides.
    expect(await cents('?timestamp=150')).toEqual([0, '100.000000000']);
    expect(await cents('')).toEqual([2, '300.000000000']);
  });
});

/** @see contracts/mirror-network.md section 2 */
describe('GET /api/v1/network/supply', () => {
  const DAY = 86_400n;
  /** 2023-11-14. */
  const FIRST = 1_700_000_000n;
  let mirror: MirrorApp;
  beforeAll(async () => {
    mirror = await mirrorOf({
      balances: [
        { account: entityId(2n), balance: 1000n, timestamp: time(FIRST) },
        { account: entityId(42n), balance: 30n, timestamp: time(FIRST + 5n) },
        { account: entityId(1n), balance: 500n, timestamp: time(FIRST) },
      ],
      transactions: [
        aTransaction((FIRST + 10n) * SECOND, { transfers: [aTransfer(2n, -100n), aTransfer(1n, 100n)] }),
      ],
    });
    const later = aTransaction((FIRST + 5n * DAY) * SECOND, {
      transfers: [aTransfer(1n, -1n), aTransfer(3n, 1n)],
    });
    await mirror.area.ledger.commitUnit(fixtureUnit('later', { transactions: [later] }));
  });
  const TOTAL = 5_000_000_000_000_000_000n;
  const answer = (unreleased: bigint, timestamp: string) => ({
    released_supply: `${TOTAL - unreleased}`,
    timestamp,
    total_supply: `${TOTAL}`,
  });

  test.each([
    ['', answer(930n, '1700000010.000000000')],
    ['?timestamp=1700000005', answer(1030n, '1700000005.000000000')],
    ['?timestamp=lte:1700000004', answer(1000n, '1700000000.000000000')],
    ['?timestamp=gte:1700000001&timestamp=lt:1700000006', answer(30n, '1700000005.000000000')],
    ['?timestamp=1702000000', answer(930n, '1700432000.000000000')],
  ])('%s sums what was known then', async (query, expected) => {
    expect((await get(mirror, `supply${query}`)).json()).toEqual(expected);
  });

  test('HEAD of a text has its type and no body', async () => {
    const head = await mirror.app.inject({ method: 'HEAD', url: '/api/v1/network/supply/?q=Circulating' });
    expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([
      200,
      '',
      'text/plain; charset=utf-8',
    ]);
  });
});

/** Snapshots begin two minutes after it does. @see contracts/client-needs.md section 4.2 */
describe('a ledger of less than two minutes', () => {
  test.each([
    [true, 200],
    [false, 404],
  ])('tells the supply at a time from running balances when earliest values are %s', async (on, status) => {
    const mirror = await buildMirrorApp({ earliestValue: on });
    open.push(mirror);
    const unit = fixtureUnit('first', {
      transactions: [
        aTransaction(1_700_000_000n * SECOND, { transfers: [aTransfer(2n, 50n), aTransfer(98n, 5n)] }),
      ],
    });
    const header = { ...unit.header, kind: 'record' as const, version: 6, blockNumber: 0n };
    await mirror.area.ledger.commitUnit({
      ...unit,
      header: { ...header, previousHash: Buffer.alloc(48) },
    });
    const now = await get(mirror, 'supply');
    expect(now.json()).toMatchObject({ released_supply: '4999999999999999950' });
    for (const time of ['1600000000', '1700000000', '1700000100.25']) {
      const then = await get(mirror, `supply?timestamp=${time}`);
      expect(then.statusCode, time).toBe(status);
      if (on) expect(then.json()).toEqual(now.json());
    }
  });
});

describe('a ledger that began in the middle', () => {
  async function beganInTheMiddle(dialect: 'spec' | 'hiero'): Promise<MirrorApp> {
    const mirror = await buildMirrorApp({ dialect });
    open.push(mirror);
    const unit = fixtureUnit('middle', {
      transactions: [
        aTransaction(1_700_000_000n * SECOND, { transfers: [aTransfer(2n, -5n), aTransfer(98n, 5n)] }),
      ],
    });
    await mirror.area.ledger.commitUnit({
      ...unit,
      header: {
        ...unit.header,
        kind: 'record',
        version: 6,
        blockNumber: 7n,
        previousHash: Buffer.alloc(48, 1),
      },
    });
    return mirror;
  }

  test('tells the part of the supply that is known, in the dialect of the networks', async () => {
    const mirror = await beganInTheMiddle('hiero');
    expect((await get(mirror, 'supply')).json()).toEqual({
      released_supply: null,
      timestamp: '1700000000.000000000',
      total_supply: '5000000000000000000',
    });
    expect((await get(mirror, 'supply?q=totalcoins')).body).toBe('50000000000.00000000');
    expect((await get(mirror, 'supply?q=circulating')).statusCode).toBe(404);
    expect((await get(mirror, 'supply?timestamp=1700000000')).statusCode).toBe(404);
  });

  test('has no supply as specified', async () => {
    expect((await get(await beganInTheMiddle('spec'), 'supply')).statusCode).toBe(404);
  });
});

describe('stakes of nodes', () => {
  test('stay when a later stake update tells no nodes, such as a stake line of a fixture', async () => {
    const mirror = await mirrorOf({
      addressBooks: [{ file: entityId(102n), startTimestamp: time(1n), entries: [entry(0n)] }],
      stakeUpdates: [aStakeUpdate(time(10n), { nodes: [nodeStake(0n)] })],
    });
    await mirror.area.ledger.commitUnit(
      fixtureUnit('later', {
        stakeUpdates: [aStakeUpdate(time(20n), { nodes: [], stakeTotal: 77n })],
      }),
    );
    expect((await get(mirror, 'nodes')).json().nodes).toMatchObject([{ node_id: 0, stake_rewarded: 3 }]);
    expect((await get(mirror, 'stake')).json()).toMatchObject({ stake_total: 77 });
    const keys = await mirror.area.ledger.nodeKeysAt(time(30n));
    expect(keys?.nodes).toMatchObject([{ nodeId: 0n, stake: 9_007_199_254_740_993n }]);
  });
});

describe('a ledger without network data', () => {
  test.each([
    ['supply', 'Network supply not found'],
    ['exchangerate', 'File 11.12.112 not found'],
    ['fees', 'File 11.12.113 not found'],
    ['stake', 'No network stake data found'],
  ])('%s is not found: %s', async (path, detail) => {
    const mirror = await mirrorOf({}, { shard: 11n, realm: 12n });
    const answer = await get(mirror, path);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ _status: { messages: [{ message: 'Not found', detail }] } });
    expect((await get(mirror, 'nodes')).json()).toEqual({ nodes: [], links: { next: null } });
  });

  test.each(['supply', 'exchangerate', 'fees', 'nodes', 'stake'])(
    '%s refuses what it does not know and too many values',
    async (path) => {
      const mirror = await mirrorOf({});
      const unknown = await get(mirror, `${path}?color=red&COLOR=blue`);
      expect(unknown.statusCode).toBe(400);
      expect(unknown.json()).toEqual({
        _status: {
          messages: [
            { message: 'Unknown query parameter: color' },
            { message: 'Unknown query parameter: color' },
          ],
        },
      });
      const many = await get(mirror, `${path}?${Array.from({ length: 101 }, () => 'timestamp=1').join('&')}`);
      expect(many.json()).toEqual({
        _status: {
          messages: [
            {
              message: 'Parameter values count exceeds maximum number allowed: timestamp count: 101 max: 100',
            },
          ],
        },
      });
    },
  );

  test('files of the shard and realm of the network are the ones that count', async () => {
    const file = encodeEntityId(11n, 12n, 112n);
    const piece = { consensusTimestamp: time(5n), transactionType: 17 as const, contents: rates(9) };
    const mirror = await mirrorOf(
      { filePieces: file === null ? [] : [{ file, ...piece }] },
      { shard: 11n, realm: 12n },
    );
    expect((await get(mirror, 'exchangerate')).json()).toMatchObject({ timestamp: '5.000000000' });
    const home = await mirrorOf({ filePieces: file === null ? [] : [{ file, ...piece }] });
    expect((await get(home, 'exchangerate')).statusCode).toBe(404);
  });
});
