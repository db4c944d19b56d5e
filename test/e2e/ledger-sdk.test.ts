import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, PublicKey } from '@hiero-ledger/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import type { AddressBookEntry } from '../../src/mirror/ledger/rows.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** The package has these queries but exports them to browsers alone, so they are loaded by their files. */
async function fromSdk<T>(file: string): Promise<T> {
  const url = new URL(`../node_modules/@hiero-ledger/sdk/lib/${file}`, import.meta.url);
  return ((await import(url.href)) as { readonly default: T }).default;
}

interface AddressBookQuery {
  setFileId(id: string): this;
  setLimit(limit: number): this;
  execute(client: Client): Promise<{
    readonly nodeAddresses: readonly {
      readonly nodeId: { toString(): string } | null;
      readonly accountId: { toString(): string } | null;
      readonly addresses: readonly { toString(): string }[];
      readonly publicKey: string | null;
      readonly description: string | null;
      readonly stake: { toString(): string } | null;
    }[];
  }>;
}

interface BalanceQuery {
  setAccountId(id: unknown): this;
  execute(client: Client): Promise<{ readonly hbars: { toTinybars(): { toString(): string } } }>;
}

interface RegisteredNodeQuery {
  execute(client: Client): Promise<{ readonly registeredNodes: readonly unknown[] }>;
}

const NODES = 30;
const START = 1_700_000_000_000_000_000n;
/** More than a double can hold. */
const BALANCE = 9_007_199_254_740_993n;
const PUBLIC_KEY = '07'.repeat(32);
const EVM_ADDRESS = 'ab'.repeat(20);

function bookEntry(index: number): AddressBookEntry {
  return {
    nodeId: BigInt(index),
    nodeAccount: entityId(BigInt(index + 3)),
    description: `node ${index} | place`,
    memo: `0.0.${index + 3}`,
    publicKey: `308201a2${index.toString(16).padStart(4, '0')}`,
    nodeCertHash: Buffer.from('ab'.repeat(48), 'utf8'),
    serviceEndpoints: [{ domainName: '', ipAddressV4: '10.0.0.1', port: 50211 }],
  };
}

let server: TestServer;
let client: Client;

function clientOf({ url }: TestServer): Client {
  const made = Client.forNetwork({ '127.0.0.1:50211': '0.0.3' });
  made.setMirrorNetwork([new URL(url).host]);
  // On this host the client would use fixed ports, which may be taken.
  Object.defineProperty(made, 'mirrorRestApiBaseUrl', { get: () => `${url}/api/v1` });
  return made;
}

beforeAll(async () => {
  server = await startTestServer({ env: { MIRROR_DIALECT: 'hiero' } });
  await server.services.mirror.ledger.commitUnit(
    fixtureUnit('network', {
      addressBooks: [
        {
          startTimestamp: consensusTimestamp(START),
          file: entityId(102n),
          entries: Array.from({ length: NODES }, (_, index) => bookEntry(index)),
        },
      ],
      nodeChanges: Array.from({ length: NODES }, (_, index) => ({
        nodeId: BigInt(index),
        consensusTimestamp: consensusTimestamp(START),
        grpcProxyEndpoint: { domainName: `node${index}.example.com`, ipAddressV4: '', port: 8443 },
      })),
      balances: [{ account: entityId(1001n), balance: BALANCE, timestamp: consensusTimestamp(START) }],
      entities: [
        {
          entity: entityId(1001n),
          type: 'ACCOUNT',
          alias: Buffer.from(`1220${PUBLIC_KEY}`, 'hex'),
          evmAddress: Buffer.from(EVM_ADDRESS, 'hex'),
          createdTimestamp: consensusTimestamp(START),
        },
      ],
    }),
  );
  client = clientOf(server);
});
afterAll(async () => {
  client?.close();
  await server?.close();
});

describe('queries of the SDK that read the mirror, unmodified', () => {
  test.each([
    ['the default page', (query: AddressBookQuery) => query],
    ['pages of seven', (query: AddressBookQuery) => query.setFileId('0.0.102').setLimit(7)],
  ])('AddressBookQueryWeb reads every node, with %s', async (_, prepare) => {
    const AddressBookQueryWeb = await fromSdk<new () => AddressBookQuery>('network/AddressBookQueryWeb.js');
    const { nodeAddresses } = await prepare(new AddressBookQueryWeb()).execute(client);
    expect(
      nodeAddresses.map(({ accountId, addresses, nodeId }) => [
        `${nodeId}`,
        `${accountId}`,
        addresses.map((address) => `${address}`),
      ]),
    ).toEqual(
      Array.from({ length: NODES }, (_each, index) => [
        `${index}`,
        `0.0.${index + 3}`,
        [`node${index}.example.com:8443`],
      ]),
    );
    expect(nodeAddresses[29]).toMatchObject({
      publicKey: '0x308201a2001d',
      description: 'node 29 | place',
    });
  });

  test('AddressBookQueryWeb finds a proxy of every node of a generated ledger', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-book-'));
    const generated = await startTestServer({ env: { MIRROR_DIALECT: 'hiero' } });
    const reader = clientOf(generated);
    try {
      await writeStream(writeIntoFolder(folder), { files: 1, nodes: 2, keyBits: 1024, mix: 'transfers' });
      await generated.services.imports.run([folder]);
      const AddressBookQueryWeb = await fromSdk<new () => AddressBookQuery>('network/AddressBookQueryWeb.js');
      const { nodeAddresses } = await new AddressBookQueryWeb().execute(reader);
      expect(
        nodeAddresses.map(({ accountId, addresses }) => [`${accountId}`, ...addresses.map(String)]),
      ).toEqual([
        ['0.0.3', 'node0.localhost:8443'],
        ['0.0.4', 'node1.localhost:8443'],
      ]);
    } finally {
      reader.close();
      await generated.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.each([
    ['an id', async () => '0.0.1001'],
    ['a key as alias', async () => PublicKey.fromStringED25519(PUBLIC_KEY).toAccountId(0, 0)],
    [
      'an EVM address',
      async () => (await import('@hiero-ledger/sdk')).AccountId.fromEvmAddress(0, 0, EVM_ADDRESS),
    ],
  ])('MirrorNodeAccountBalanceQuery finds the balance by %s', async (_, accountId) => {
    const Query = await fromSdk<new () => BalanceQuery>('query/MirrorNodeAccountBalanceQuery.js');
    const { hbars } = await new Query().setAccountId(await accountId()).execute(client);
    // The client reads the answer through a double.
    expect(Number(hbars.toTinybars())).toBe(Number(BALANCE));
  });

  test('RegisteredNodeAddressBookQuery gets an empty list', async () => {
    const Query = await fromSdk<new () => RegisteredNodeQuery>('network/RegisteredNodeAddressBookQuery.js');
    expect((await new Query().execute(client)).registeredNodes).toEqual([]);
  });
});
