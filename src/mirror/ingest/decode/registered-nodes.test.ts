import { describe, expect, test } from 'vitest';
import { memoryBackend } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { doNow } from '../../../values/work.ts';
import { commitUnits } from '../../ledger/commit/ledger-backend.ts';
import { fixtureUnit } from '../../ledger/fixture-unit.ts';
import type { MessageObject } from '../../protobuf/messages.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup } from './known-entities.ts';

const START = 1_790_000_000_000_000_000n;
const NO_BYTES = false;
const ids = { shard: 0n, realm: 0n };
const BLOCK_NODE = {
  ipAddress: Uint8Array.of(8, 8, 4, 4),
  port: 40_840,
  blockNode: { endpointApi: [1, 2, 3] },
};
const RELAY = { domainName: 'relay.example.org', port: 7546, requiresTls: true, rpcRelay: {} };
const KEY = { ed25519: new Uint8Array(32).fill(7) };

/** Rows of a ledger after transactions, one a nanosecond; each is body, number of the receipt and result. */
async function ledgerAfter(
  ...given: readonly (readonly [data: MessageObject, created?: bigint, status?: number])[]
) {
  const items = given.map(([data, registeredNodeId, status = RESULT.SUCCESS], at) =>
    ledgerItem(
      {
        consensus: consensusTimestamp(START + BigInt(at)),
        validStart: consensusTimestamp(START - 1n),
        payer: 2n,
        data,
        status,
        fee: 0n,
        node: 3n,
        ...(registeredNodeId === undefined ? {} : { receipt: { registeredNodeId } }),
      },
      ids,
    ),
  );
  const { registeredNodes } = await decodeUnit(items, 'a.rcd', emptyLookup);
  const backend = memoryBackend();
  doNow(commitUnits(backend, [fixtureUnit('a', { registeredNodes })], NO_BYTES));
  return backend.rows('registered_node').map(
    (row): Readonly<Record<string, unknown>> => ({
      ...row,
      service_endpoints: JSON.parse(String(row['service_endpoints'])) as unknown,
    }),
  );
}
const created = {
  registeredNodeCreate: { adminKey: KEY, description: 'a node', serviceEndpoint: [BLOCK_NODE] },
};
const endpoint = {
  ipAddress: '8.8.4.4',
  domainName: null,
  port: 40_840,
  requiresTls: false,
  service: 'block_node',
  apis: [1, 2, 3],
  description: null,
};
const row = {
  registered_node_id: 5n,
  created_ts: START,
  changed_ts: START,
  deleted: 0n,
  description: 'a node',
  service_endpoints: [endpoint],
};

describe('registered nodes', () => {
  test('have the number of the receipt, and the endpoints that they were created with', async () => {
    const [node] = await ledgerAfter([created, 5n]);
    expect(node).toMatchObject(row);
    expect(Buffer.from(node?.['admin_key'] as Uint8Array).toString('hex')).toBe(`1220${'07'.repeat(32)}`);
  });

  test.each([
    [
      'a name',
      RELAY,
      { domainName: 'relay.example.org', ipAddress: null, service: 'rpc_relay', requiresTls: true },
    ],
    [
      'IPv6',
      { ...BLOCK_NODE, ipAddress: Uint8Array.from([32, 1, ...new Array(13).fill(0), 9]) },
      { ipAddress: '2001:0:0:0:0:0:0:9' },
    ],
    ['an address of another length', { ...BLOCK_NODE, ipAddress: Uint8Array.of(1, 2) }, { ipAddress: null }],
    ['a mirror node', { port: 1, mirrorNode: {} }, { service: 'mirror_node', apis: [] }],
    [
      'a general service',
      { port: 1, generalService: { description: 'x' } },
      { service: 'general_service', description: 'x' },
    ],
    ['nothing', { port: 1 }, { service: 'unknown', ipAddress: null, domainName: null }],
  ])('an endpoint may be %s', async (_name, given, expected) => {
    const data = { registeredNodeCreate: { ...created.registeredNodeCreate, serviceEndpoint: [given] } };
    expect(await ledgerAfter([data, 5n])).toMatchObject([{ service_endpoints: [expected] }]);
  });

  test('an update changes what it holds alone', async () => {
    const update = (members: MessageObject) => ({
      registeredNodeUpdate: { registeredNodeId: 5n, ...members },
    });
    expect(await ledgerAfter([created, 5n], [update({ description: { value: '' } })])).toMatchObject([
      { ...row, changed_ts: START + 1n, description: '' },
    ]);
    expect(await ledgerAfter([created, 5n], [update({ serviceEndpoint: [RELAY] })])).toMatchObject([
      { ...row, changed_ts: START + 1n, service_endpoints: [{ service: 'rpc_relay' }] },
    ]);
  });

  test('a deleted one stays, as deleted', async () => {
    const deletion = { registeredNodeDelete: { registeredNodeId: 5n } };
    expect(await ledgerAfter([created, 5n], [deletion])).toMatchObject([
      { ...row, changed_ts: START + 1n, deleted: 1n },
    ]);
  });

  test('what failed changes nothing', async () => {
    expect(await ledgerAfter([created, 5n, RESULT.INVALID_REGISTERED_NODE_ID])).toEqual([]);
  });
});
