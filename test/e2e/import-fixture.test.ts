import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseExact } from '../../src/commands/exact-json.ts';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { ledgerDump } from '../support/sqlite-file.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** A fixture makes a ledger whose answers are the lines that it was made of. */
const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ledgerlens-fixture-'));
  cleanups.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function fixture(name: string, ...lines: readonly (object | string)[]): string {
  const path = join(folder(), name);
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  return path;
}

async function server(env: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const started = await startTestServer({ env, onDisk: true });
  cleanups.push(() => started.close());
  return started;
}

async function importInto({ services }: TestServer, path: string) {
  const [report] = await services.imports.run([path]);
  return report;
}

async function get({ url }: TestServer, path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url + path);
  expect(answer.status, path).toBe(200);
  return parseExact(await answer.text()) as Record<string, unknown>;
}

const TRANSACTION = {
  batch_key: null,
  bytes: null,
  charged_tx_fee: 7,
  consensus_timestamp: '1700000001.000000001',
  entity_id: null,
  high_volume: false,
  high_volume_pricing_multiplier: null,
  max_custom_fees: [],
  max_fee: '33',
  memo_base64: 'aGVsbG8=',
  name: 'CRYPTOTRANSFER',
  nft_transfers: [],
  node: '0.0.3',
  nonce: 0,
  parent_consensus_timestamp: null,
  result: 'SUCCESS',
  scheduled: false,
  staking_reward_transfers: [],
  token_transfers: [],
  transaction_hash: Buffer.alloc(48, 5).toString('base64'),
  transaction_id: '0.0.1001-1700000000-000000000',
  transfers: [
    { account: '0.0.3', amount: 7, is_approval: false },
    { account: '0.0.1001', amount: -7, is_approval: false },
  ],
  valid_duration_seconds: '120',
  valid_start_timestamp: '1700000000.000000000',
};

const NODE = {
  admin_key: null,
  associated_registered_nodes: [],
  decline_reward: true,
  description: 'first',
  file_id: '0.0.102',
  grpc_proxy_endpoint: null,
  max_stake: 50,
  memo: '0.0.3',
  min_stake: 1,
  node_account_id: '0.0.3',
  node_cert_hash: '0xab',
  node_id: 0,
  public_key: '0xcd',
  reward_rate_start: 6,
  service_endpoints: [{ domain_name: '', ip_address_v4: '127.0.0.1', port: 50211 }],
  stake: 20,
  stake_not_rewarded: 8,
  stake_rewarded: 12,
  staking_period: { from: '1700000000.000000000', to: '1700086400.000000000' },
  timestamp: { from: '5.000000000', to: null },
};

const STAKE = {
  max_stake_rewarded: 10,
  max_staking_reward_rate_per_hbar: 17808,
  max_total_reward: 20,
  node_reward_fee_fraction: 0.003,
  reserved_staking_rewards: 30,
  reward_balance_threshold: 40,
  stake_total: 20,
  staking_period: { from: '1700000000.000000000', to: '1700086400.000000000' },
  staking_period_duration: 1440,
  staking_periods_stored: 365,
  staking_reward_fee_fraction: 0.1,
  staking_reward_rate: 100_000_000_000,
  staking_start_threshold: 25_000_000_000,
  unreserved_staking_reward_balance: 50,
};

describe('import of a fixture', () => {
  test('answers with the lines it was made of, and a second import changes nothing', async () => {
    const path = fixture(
      'ledger.ndjson',
      '# nodes, stakes, one transaction',
      { kind: 'node', ...NODE },
      { kind: 'stake', consensus_timestamp: '1700000000.500000000', ...STAKE },
      { kind: 'balance', account: '0.0.2', balance: 4_000_000_000, timestamp: '1700000000.000000000' },
      TRANSACTION,
    );
    const running = await server({ MIRROR_DIALECT: 'hiero' });
    expect(await importInto(running, path)).toMatchObject({
      units: 1,
      transactions: 1,
      verification: 'none',
    });
    expect((await get(running, '/api/v1/transactions'))['transactions']).toEqual([TRANSACTION]);
    expect((await get(running, '/api/v1/network/nodes'))['nodes']).toEqual([NODE]);
    expect(await get(running, '/api/v1/network/stake')).toEqual(STAKE);
    expect(await get(running, '/api/v1/network/supply')).toMatchObject({
      released_supply: '4999999996000000000',
    });
    const before = ledgerDump(running.databaseUrl);
    expect(await importInto(running, path)).toMatchObject({ units: 0, skipped: 1, refused: [] });
    expect(ledgerDump(running.databaseUrl)).toBe(before);
  });

  test('a bad line refuses the whole file by name and stores nothing', async () => {
    const path = fixture('bad.ndjson', TRANSACTION, { ...TRANSACTION, consensus_timestamp: 'soon' });
    const running = await server();
    const before = ledgerDump(running.databaseUrl);
    expect(await importInto(running, path)).toMatchObject({
      units: 0,
      refused: [
        {
          name: 'bad.ndjson',
          code: 'malformed',
          message:
            'Malformed file bad.ndjson, line 2: "consensus_timestamp" must be a time such as "1700000000.000000001", not "soon"',
        },
      ],
    });
    expect(ledgerDump(running.databaseUrl)).toBe(before);
    expect(await get(running, '/health/readiness')).toMatchObject({
      ingest: [{ source: path, state: 'failed', error: expect.stringContaining('line 2') }],
    });
  });

  test('other contents that end before the newest unit are refused, not left out in silence', async () => {
    const running = await server();
    await importInto(running, fixture('new.ndjson', TRANSACTION));
    const older = { ...TRANSACTION, consensus_timestamp: '1600000000.000000000' };
    expect(await importInto(running, fixture('old.ndjson', older))).toMatchObject({
      units: 0,
      refused: [{ code: 'fixture_too_old', message: expect.stringContaining('in the order of') }],
    });
  });

  test('a fixture without any time can only begin a ledger, which its refusal says', async () => {
    const running = await server();
    await importInto(running, fixture('new.ndjson', TRANSACTION));
    expect(
      await importInto(running, fixture('token.ndjson', { kind: 'token', token_id: '0.0.9' })),
    ).toMatchObject({
      units: 0,
      refused: [{ code: 'fixture_too_old', message: expect.stringContaining('has no time') }],
    });
  });

  test('a stream may follow a fixture', async () => {
    const stream = folder();
    await writeStream(writeIntoFolder(stream), { files: 2, keyBits: 1024 });
    const running = await server();
    const path = fixture('before.ndjson', { ...TRANSACTION, consensus_timestamp: '1600000000.000000000' });
    await importInto(running, path);
    expect(await importInto(running, stream)).toMatchObject({ units: 2, refused: [] });
  });
});
