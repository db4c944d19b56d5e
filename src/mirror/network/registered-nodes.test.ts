import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import type { RegisteredEndpoint } from '../ledger/registered-endpoint.ts';

const START = 1_700_000_000_000_000_000n;
const endpoint = (given: Partial<RegisteredEndpoint>): RegisteredEndpoint => ({
  ipAddress: null,
  domainName: null,
  port: 443,
  requiresTls: true,
  service: 'unknown',
  apis: [],
  description: null,
  ...given,
});
const ENDPOINTS: readonly RegisteredEndpoint[] = [
  endpoint({ service: 'block_node', ipAddress: '8.8.4.4', apis: [1, 2, 77] }),
  endpoint({ service: 'mirror_node', domainName: 'm.example' }),
  endpoint({ service: 'rpc_relay' }),
  endpoint({ service: 'general_service', description: 'x' }),
];

let spec: MirrorApp;
let hiero: MirrorApp;
beforeAll(async () => {
  spec = await buildMirrorApp();
  hiero = await buildMirrorApp({ dialect: 'hiero' });
  // 1 to 4 offer one service each, 5 both of the first and is changed later, 6 is deleted.
  const registeredNodes = [1n, 2n, 3n, 4n, 5n, 6n].map((id) => ({
    registeredNodeId: id,
    consensusTimestamp: consensusTimestamp(START + id),
    isDeleted: id === 6n,
    isCreated: id !== 4n,
    adminKey: Buffer.from(`1220${'07'.repeat(32)}`, 'hex'),
    description: `node ${id}`,
    endpoints: id < 5n ? ENDPOINTS.slice(Number(id) - 1, Number(id)) : ENDPOINTS.slice(0, 2),
  }));
  const changed = {
    registeredNodeId: 5n,
    consensusTimestamp: consensusTimestamp(START + 9n),
    isDeleted: false,
    isCreated: false,
  };
  for (const mirror of [spec, hiero]) {
    await mirror.area.ledger.commitUnit(
      fixtureUnit('nodes', { registeredNodes: [...registeredNodes, changed] }),
    );
  }
});
afterAll(async () => {
  await spec.close();
  await hiero.close();
});

interface Page {
  readonly registered_nodes: readonly { readonly registered_node_id: number }[];
  readonly links: { readonly next: string | null };
}
const get = (query: string, mirror = spec) => mirror.app.inject(`/api/v1/network/registered-nodes${query}`);
const pageOf = async (query: string, mirror = spec) => {
  const answer = await get(query, mirror);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as Page;
};

describe('GET /api/v1/network/registered-nodes', () => {
  test.each([
    ['', [1, 2, 3, 4, 5]],
    ['?order=desc&limit=2', [5, 4]],
    ['?type=BLOCK_NODE', [1, 5]],
    ['?type=mirror_node', [2, 5]],
    ['?type=RPC_RELAY', [3]],
    ['?type=GENERAL_SERVICE', [4]],
    ['?registerednode.id=2&registerednode.id=5&registerednode.id=6', [2, 5]],
    ['?registerednode.id=gt:1&registerednode.id=lte:3', [2, 3]],
    ['?registerednode.id=gte:5&registerednode.id=lt:5', []],
  ])('%s shows %j', async (query, expected) => {
    const { registered_nodes: shown } = await pageOf(query);
    expect(shown.map((node) => node.registered_node_id)).toEqual(expected);
  });

  test('each endpoint tells its service in the member of it', async () => {
    const none = { block_node: null, general_service: null, mirror_node: null, rpc_relay: null };
    const place = { domain_name: null, ip_address: null, port: 443, requires_tls: true };
    const shown = (await pageOf('')).registered_nodes;
    expect(shown.at(-1)).toEqual({
      admin_key: { _type: 'ED25519', key: '07'.repeat(32) },
      created_timestamp: '1700000000.000000005',
      description: 'node 5',
      registered_node_id: 5,
      service_endpoints: [
        {
          ...{ ...none, ...place, ip_address: '8.8.4.4', type: 'BLOCK_NODE' },
          block_node: { endpoint_apis: ['STATUS', 'PUBLISH', 'OTHER'] },
        },
        { ...none, ...place, domain_name: 'm.example', mirror_node: {}, type: 'MIRROR_NODE' },
      ],
      timestamp: { from: '1700000000.000000009', to: null },
    });
    expect(shown.slice(2, 4)).toMatchObject([
      { service_endpoints: [{ ...none, rpc_relay: {}, type: 'RPC_RELAY' }] },
      {
        created_timestamp: null,
        service_endpoints: [{ ...none, general_service: { description: 'x' }, type: 'GENERAL_SERVICE' }],
      },
    ]);
  });

  test('links lead to every node once', async () => {
    const seen: number[] = [];
    let query: string | null = '?limit=2';
    for (let pages = 0; query !== null; pages++) {
      expect(pages).toBeLessThan(4);
      const page: Page = await pageOf(query);
      seen.push(...page.registered_nodes.map((node) => node.registered_node_id));
      query = page.links.next === null ? null : page.links.next.slice(page.links.next.indexOf('?'));
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect((await pageOf('?limit=5', hiero)).links.next).toBe(
      '/api/v1/network/registered-nodes?limit=5&registerednode.id=gt:5',
    );
  });

  test.each(['registerednode.id=ne:5', 'registerednode.id=-1', 'registerednode.id=x', 'type=NODE'])(
    '%s is 400',
    async (query) => {
      const answer = await get(`?${query}`);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({
        _status: { messages: [{ message: `Invalid parameter: ${query.split('=')[0]}` }] },
      });
    },
  );
});
