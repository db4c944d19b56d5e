import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../../values/clock.ts';
import { StorageBusyError } from '../../../../values/storage-errors.ts';
import { BLOCK_NODE_API, type RegisteredEndpoint } from '../../../ledger/registered-endpoint.ts';
import { createDiscovery, discoveredNodes } from './discovered-nodes.ts';

const { PUBLISH, STATE_PROOF, STATUS, SUBSCRIBE_STREAM } = BLOCK_NODE_API;

function endpoint(changes: Partial<RegisteredEndpoint>): RegisteredEndpoint {
  return {
    ipAddress: '8.8.8.8',
    domainName: null,
    port: 40_840,
    requiresTls: false,
    service: 'block_node',
    apis: [PUBLISH, STATUS, SUBSCRIBE_STREAM],
    description: null,
    ...changes,
  };
}
const addresses: Record<string, readonly string[]> = {
  'node.example.org': ['8.8.4.4'],
  'inside.example.org': ['8.8.4.4', '10.0.0.7'],
};
const lookUp = async (host: string) => addresses[host] ?? Promise.reject(new Error('no such name'));
const found = (endpoints: readonly RegisteredEndpoint[], allowsPrivate = false) =>
  discoveredNodes([{ registeredNodeId: 1n, endpoints }], lookUp, allowsPrivate);
const place = { host: '8.8.8.8', port: 40_840, isTls: false, address: '8.8.8.8' };

describe('block nodes that a ledger registers', () => {
  test('one endpoint may serve both', async () => {
    expect(await found([endpoint({})])).toEqual([{ name: '8.8.8.8:40840', status: place, stream: place }]);
  });

  test('an endpoint for both is preferred, else the first of each', async () => {
    const publish = endpoint({ apis: [PUBLISH], port: 1 });
    const status = endpoint({ apis: [STATUS], port: 2 });
    const stream = endpoint({ apis: [STATE_PROOF, SUBSCRIBE_STREAM], port: 3, requiresTls: true });
    expect(await found([publish, stream, status])).toEqual([
      { name: '8.8.8.8:3', status: { ...place, port: 2 }, stream: { ...place, port: 3, isTls: true } },
    ]);
    expect(await found([publish, stream, status, endpoint({ port: 4 })])).toMatchObject([
      { name: '8.8.8.8:4' },
    ]);
  });

  test('a name is looked up once, and its address dialled', async () => {
    const named = endpoint({ domainName: 'node.example.org', ipAddress: null });
    expect(await found([named])).toMatchObject([
      { name: 'node.example.org:40840', stream: { host: 'node.example.org', address: '8.8.4.4' } },
    ]);
  });

  test.each([
    ['without a publisher', [endpoint({ apis: [STATUS, SUBSCRIBE_STREAM] })]],
    ['without a status', [endpoint({ apis: [PUBLISH, SUBSCRIBE_STREAM] })]],
    ['without a stream', [endpoint({ apis: [PUBLISH, STATUS] })]],
    ['of another service', [endpoint({ service: 'mirror_node' })]],
    ['without an address', [endpoint({ ipAddress: null })]],
    ['with a name that nobody knows', [endpoint({ domainName: 'unknown.example.org' })]],
    ['without a port', [endpoint({ port: 0 })]],
  ])('a node %s is none', async (_name, endpoints) => {
    expect(await found(endpoints, true)).toEqual([]);
  });

  test.each([
    endpoint({ ipAddress: '127.0.0.1' }),
    endpoint({ ipAddress: '169.254.169.254' }),
    endpoint({ ipAddress: '0:0:0:0:0:ffff:a00:7' }),
    endpoint({ domainName: 'inside.example.org' }),
  ])('one that leads into a private network is dialled only when that is allowed: %j', async (given) => {
    expect(await found([given])).toEqual([]);
    expect(await found([given], true)).toHaveLength(1);
  });
});

describe('discovery', () => {
  const node = { registeredNodeId: 1n, endpoints: [endpoint({})] };

  test('reads once a minute, and keeps what it found while the ledger is busy', async () => {
    const clock = new ManualClock(1_800_000_000_000);
    let [asked, isBusy] = [0, false];
    const registered = {
      async all() {
        asked++;
        if (isBusy) throw new StorageBusyError('busy');
        return [node];
      },
    };
    const discover = createDiscovery('public', { clock, lookUp, registered });
    expect(await discover()).toHaveLength(1);
    expect(await discover()).toHaveLength(1);
    expect(asked).toBe(1);
    clock.advance(60_000);
    isBusy = true;
    expect(await discover()).toHaveLength(1);
    expect(asked).toBe(2);
  });

  test('off, it reads nothing', async () => {
    const registered = { all: () => Promise.reject(new Error('was read')) };
    const discover = createDiscovery('off', { clock: new ManualClock(1), lookUp, registered });
    expect(await discover()).toEqual([]);
  });
});
