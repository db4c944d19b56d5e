import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockOf, listing, sharedBlock } from '../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { buildMirrorApp, type MirrorApp } from '../../../../test/kit/mirror/mirror-app.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { rebuildLedger } from '../rebuild/rebuild-ledger.ts';
import { createImporter } from './importer.ts';

const FILE = 'blocks-wrapped-mainnet/genesis/0000000000000000000.blk.zstd';
const STATED_AT = '1568411631.916679000';
/** Of the first file of a user that it states, and of the contract that was made of it. */
const [CODE_FILE, CONTRACT] = [13_704n, '0.0.13705'];
const AFTER = consensusTimestamp(1_568_411_632_000_000_000n);
const KEY = 'dd422bcbcb8c7a93bbdb84c87d81cc58265ea92e73ee1eff0c3e2476f4d2e7bc';

describeShared('what the first block of the main network states', () => {
  let mirror: MirrorApp;

  beforeAll(async () => {
    mirror = await buildMirrorApp();
    const { ledger: repository, lookup } = mirror.store;
    const source = listing([blockOf(sharedBlock(FILE), FILE)], 'mainnet-v2/address_book.bin');
    const report = await createImporter({ repository, lookup, source }).run();
    expect(report).toMatchObject({ units: 1, refused: [] });
  });
  afterAll(() => mirror.close());
  const ask = async (path: string) => (await mirror.app.inject(`/api/v1/${path}`)).json();

  test('are accounts with their settings from then on, not before', async () => {
    expect(await ask('accounts/0.0.3')).toMatchObject({
      account: '0.0.3',
      alias: null,
      auto_renew_period: 17_775,
      balance: { balance: 387_737_745_271, timestamp: STATED_AT },
      created_timestamp: null,
      deleted: false,
      ethereum_nonce: 0,
      // Seconds that no ledger has time for.
      expiry_timestamp: '9223372036.854775807',
      key: { _type: 'ED25519', key: KEY },
      max_automatic_token_associations: 0,
      memo: '',
      receiver_sig_required: false,
      staked_node_id: null,
    });
    expect(await ask('accounts/0.0.1')).toMatchObject({ receiver_sig_required: true });
    expect((await ask(`accounts?account.publickey=${KEY}`)).accounts).toMatchObject([{ account: '0.0.3' }]);
    expect((await mirror.app.inject('/api/v1/accounts/0.0.3?timestamp=lt:1568411631.9')).statusCode).toBe(
      404,
    );
    expect((await mirror.app.inject('/api/v1/accounts/0.0.101')).statusCode).toBe(404);
  });

  test('are contracts with the code that lies there', async () => {
    const contract = await ask(`contracts/${CONTRACT}`);
    expect(contract).toMatchObject({
      admin_key: { _type: 'ProtobufEncoded', key: '0a0318896b' },
      auto_renew_account: null,
      auto_renew_period: 25_598,
      bytecode: '0x',
      deleted: false,
      expiration_timestamp: '1567058421.000000000',
      memo: '',
      timestamp: { from: STATED_AT, to: null },
    });
    expect(contract.runtime_bytecode).toMatch(/^0x60806040526004361061006c[0-9a-f]{1256}$/);
    const { contracts } = await ask('contracts?limit=100');
    expect(contracts.length + (await ask('contracts?limit=100&order=asc')).contracts.length).toBe(200);
    expect(await ask(`accounts/${CONTRACT}`)).toMatchObject({ account: CONTRACT });
  });

  test('are files, those of users too, and the address book in one', async () => {
    const written = await mirror.store.userFiles.contentsBefore(entityId(CODE_FILE), AFTER);
    expect(Buffer.from(written ?? []).toString()).toMatch(/^60806040[0-9a-f]{1336}$/);
    const rates = { current_rate: { cent_equivalent: 12 }, timestamp: STATED_AT };
    expect(await ask('network/exchangerate')).toMatchObject(rates);
    const [node] = (await ask('network/nodes?file.id=102&limit=1')).nodes;
    expect(node).toMatchObject({ node_account_id: '0.0.3', timestamp: { from: '1568411631.916679001' } });
  });

  test('is the same after a rebuild', async () => {
    const paths = ['accounts?limit=100', `contracts/${CONTRACT}`, 'network/nodes', 'network/exchangerate'];
    const answers = () => Promise.all(paths.map(ask));
    const before = await answers();
    const { ledger, rebuild } = mirror.store;
    const state = await rebuild().beginState();
    const report = await rebuildLedger({
      units: rebuild().units,
      lookupBefore: rebuild().lookupBefore,
      fileContents: (num, at, before) => ledger.fileContents(num, at, before),
      state,
    });
    await state.close();
    expect(report).toMatchObject({ units: 1, left: 0, isStateRebuilt: true });
    expect(await answers()).toEqual(before);
  });
});
