import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTRACT_ADDRESS, explorerLedger, SECOND, START } from '../../../test/kit/mirror/explorer-ledger.ts';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

let mirror: MirrorApp;
beforeAll(async () => {
  mirror = await buildMirrorApp();
  for (const unit of explorerLedger()) await mirror.area.ledger.commitUnit(unit);
  await mirror.area.ledger.commitUnit(
    fixtureUnit('later', {
      transactions: [aTransaction(START + 2000n * SECOND)],
      entityChanges: [
        // Created before the import began: only its deletion is known.
        {
          entity: entityId(2002n),
          type: 'CONTRACT',
          changedTimestamp: consensusTimestamp(START + 2000n * SECOND),
          isDeleted: true,
          isPermanentRemoval: true,
          obtainer: entityId(1001n),
          proxyAccount: entityId(3n),
        },
      ],
    }),
  );
});
afterAll(() => mirror.close());

const get = (path: string) => mirror.app.inject(`/api/v1/contracts/${path}`);

describe('GET /api/v1/contracts/{contractIdOrAddress}', () => {
  test.each(['0.0.2001', '2001', CONTRACT_ADDRESS, `0x${CONTRACT_ADDRESS}`, `0x${'0'.repeat(37)}7d1`])(
    '%s shows what is known',
    async (path) => {
      expect((await get(path)).json()).toEqual({
        admin_key: null,
        auto_renew_account: '0.0.1001',
        auto_renew_period: 90,
        bytecode: '0x6002',
        contract_id: '0.0.2001',
        created_timestamp: '1700000001.000000000',
        deleted: false,
        evm_address: `0x${CONTRACT_ADDRESS}`,
        expiration_timestamp: '1700000091.000000000',
        file_id: null,
        max_automatic_token_associations: 0,
        memo: 'counter',
        nonce: 1,
        obtainer_id: null,
        permanent_removal: null,
        proxy_account_id: null,
        runtime_bytecode: '0x6001',
        timestamp: { from: '1700000001.000000000', to: null },
      });
    },
  );

  test('what an update or deletion tells of a contract from before the import is shown', async () => {
    expect((await get('2002')).json()).toMatchObject({
      bytecode: '0x',
      created_timestamp: null,
      deleted: true,
      evm_address: `0x${'0'.repeat(37)}7d2`,
      obtainer_id: '0.0.1001',
      permanent_removal: true,
      proxy_account_id: '0.0.3',
      runtime_bytecode: '0x',
      timestamp: { from: '1700002000.000000000', to: null },
    });
  });

  test('at a time the newest state is shown that held by then', async () => {
    const newest = (await get('2001')).json();
    const since = newest.timestamp.from;
    for (const query of [since, `lte:${since}`, 'gte:1', 'lt:9999999999', 'ne:1']) {
      expect((await get(`2001?timestamp=${query}`)).json()).toEqual(newest);
    }
    // The deletion came later, and is all that is known.
    const before = (await get('2002?timestamp=1700001000')).json();
    expect(before).toMatchObject({ contract_id: '0.0.2002', obtainer_id: null, permanent_removal: null });
    expect(before.timestamp.to).toBe('1700002000.000000000');
  });

  test('a deleted contract is listed by its address', async () => {
    const address = 'de'.repeat(20);
    const [at, later] = [START + 3000n * SECOND, START + 3001n * SECOND].map(consensusTimestamp) as [
      ConsensusTimestamp,
      ConsensusTimestamp,
    ];
    const entity = entityId(2003n);
    await mirror.area.ledger.commitUnit(
      fixtureUnit('deleted', {
        transactions: [aTransaction(at), aTransaction(later)],
        entities: [
          {
            entity,
            type: 'CONTRACT',
            alias: null,
            evmAddress: Buffer.from(address, 'hex'),
            createdTimestamp: at,
          },
        ],
        entityChanges: [{ entity, type: 'CONTRACT', changedTimestamp: later, isDeleted: true }],
      }),
    );
    const listed = (await mirror.app.inject(`/api/v1/contracts?contract.id=${address}`)).json().contracts;
    expect(listed).toMatchObject([{ contract_id: '0.0.2003', deleted: true }]);
    expect((await get(address)).json()).toMatchObject(listed[0]);
  });

  test('an address that nobody has leads to no further page', async () => {
    const path = `/api/v1/contracts?contract.id=2001&contract.id=0x${'ff'.repeat(20)}&limit=1&order=asc`;
    const { contracts, links } = (await mirror.app.inject(path)).json();
    expect(contracts).toMatchObject([{ contract_id: '0.0.2001' }]);
    expect(links.next).toBeNull();
  });

  test('a contract is an account too', async () => {
    const answer = await mirror.app.inject('/api/v1/accounts/0.0.2001');
    expect(answer.json()).toMatchObject({ account: '0.0.2001', memo: 'counter', ethereum_nonce: 1 });
  });

  test.each([
    ['0.0.1001', 404, 'Not found'],
    ['0.0.4', 404, 'Not found'],
    ['ef'.repeat(20), 404, 'Not found'],
    ['A'.repeat(32), 400, 'Invalid parameter: contractid'],
    ['x', 400, 'Invalid parameter: contractid'],
    ['2001?timestamp=1', 404, 'Not found'],
    ['2001?timestamp=x', 400, 'Invalid parameter: timestamp'],
    [`2001?timestamp=ne:1700000001`, 404, 'Not found'],
    ['2001?block=1', 400, 'Unknown query parameter: block'],
  ])('%s is answered %d %s', async (path, status, message) => {
    const answer = await get(path);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual({ _status: { messages: [{ message }] } });
  });
});

describe('GET /api/v1/network/registered-nodes', () => {
  const nodes = (query: string) => mirror.app.inject(`/api/v1/network/registered-nodes${query}`);

  test.each(['', '?limit=25', '?registerednode.id=gte:5&type=BLOCK_NODE&order=desc', '/'])(
    '%s lists none',
    async (query) => {
      const answer = await nodes(query);
      expect(answer.json()).toEqual({ registered_nodes: [], links: { next: null } });
      expect(answer.headers['cache-control']).toBe('public, max-age=60');
    },
  );

  test.each(['limit=0', 'registerednode.id=x', 'type=other', 'order=up'])('%s is refused', async (query) => {
    const answer = await nodes(`?${query}`);
    expect(answer.statusCode).toBe(400);
    const [name] = query.split('=');
    expect(answer.json()).toEqual({ _status: { messages: [{ message: `Invalid parameter: ${name}` }] } });
  });
});
