import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aTransfer } from '../../../src/mirror/fees/sample-transfer.ts';
import { writeIntoFolder, writeStream } from '../../../tools/network/index.ts';
import { account, transactionBytes } from '../../kit/mirror/fees/transactions.ts';
import { explorerPlaces, pathsAt } from '../../support/explorer-places.ts';
import { EXPLORER_REQUESTS } from '../../support/explorer-requests.ts';
import type { RecordingServer } from './recording-server.ts';
import { statedUnits } from './stated-ledger.ts';

const FOUR_HOURS = 14_400_000_000_000n;
/** Places that a path is asked for. */
const MAX_PLACES = 12;
type Json = Readonly<Record<string, unknown>>;

/** Asks everything of a generated ledger that an explorer asks, and of a part that is stated row by row. */
export async function askMirror(recording: RecordingServer): Promise<void> {
  const { ask, server } = recording;
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-answers-'));
  try {
    await writeStream(writeIntoFolder(folder), {
      mix: 'everything',
      seed: 'one',
      files: 8,
      transactionsPerFile: 90,
      filePeriod: FOUR_HOURS,
      nodes: 1,
      accounts: 20,
      keyBits: 1024,
    });
    await server.services.imports.run([folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const get = async (path: string) => (await ask('GET', `/api/v1/${path}`)).body as Json;
  const places = await explorerPlaces(get);
  for (const [, template] of EXPLORER_REQUESTS) {
    const paths = pathsAt(template, places);
    const step = Math.max(1, Math.floor(paths.length / MAX_PLACES));
    for (const [index, path] of paths.entries()) if (index % step === 0) await get(path);
  }
  const { transactions } = (await get('transactions?limit=100')) as { transactions: readonly Json[] };
  for (const { transaction_id: id } of transactions.slice(0, 40)) await get(`transactions/${id}`);
  for (const path of OTHERS) await get(path);
  const { blocks } = (await get('blocks?limit=2')) as { blocks: readonly { number: number }[] };
  await get(`blocks/${blocks[0]?.number}`);
  await get(`contracts/${(await contractOf(get)) ?? '0.0.1'}`);
  await askFees(recording);
  await askRefused(get, places.find(({ account }) => account !== undefined)?.['account'] ?? '2');
}

/** Asks what a wallet shows, of a ledger that is stated line by line. */
export async function askWallet({ ask, server }: RecordingServer): Promise<void> {
  await server.services.imports.run([WALLET]);
  for (const list of ACCOUNT_LISTS) await ask('GET', `/api/v1/accounts/0.0.1001/${list}`);
  await ask('GET', '/api/v1/accounts/0.0.1003/airdrops/outstanding');
}

/** Asks for the network, registered nodes and hooks, which are stated row by row. */
export async function askStated({ ask, server }: RecordingServer): Promise<void> {
  await server.services.mirror.ledger.commitUnits(await statedUnits());
  for (const path of STATED) await ask('GET', `/api/v1/${path}`);
}

const WALLET = fileURLToPath(new URL('../../e2e/wallet.ndjson', import.meta.url));
const ACCOUNT_LISTS = [
  ...['nfts', 'tokens', 'rewards', 'hooks', 'hooks/1/storage'],
  ...['crypto', 'tokens', 'nfts'].map((kind) => `allowances/${kind}`),
  ...['outstanding', 'pending'].map((kind) => `airdrops/${kind}`),
];
const STATED = [
  'accounts/0.0.1001/hooks',
  'accounts/0.0.1001/hooks/1/storage',
  'accounts/0.0.1001/hooks/1/storage?limit=0',
  'topics/x',
  'network/supply',
  'network/fees',
  'network/exchangerate',
  'network/nodes',
  'network/stake',
  'network/registered-nodes',
  'contracts?limit=2',
  'contracts/2001',
  'contracts/2001/results',
  'contracts/2001/results/1890000001.000000000',
  'contracts/2001/results/logs',
  'contracts/2001/state',
  'contracts/results?limit=2',
  'contracts/results?limit=0',
  'contracts/results/logs?limit=2',
  `contracts/results/${'01'.repeat(32)}`,
  `contracts/results/${'01'.repeat(32)}/actions`,
  'contracts?limit=0',
  'contracts/results?from=0xabababababababababababababababababababab',
  'contracts/results/logs?index=0',
  'contracts/results/x',
  'contracts/results/0.0.1001-1-1',
  'contracts/results/x/actions',
  'contracts/results/0.0.1001-1-1/actions',
  'contracts/2001/results?limit=0',
  'contracts/2001/results?from=0xabababababababababababababababababababab',
  'contracts/2001/results/logs?limit=0',
  'contracts/2001/results/x',
  'contracts/2001/results/1.1',
  'contracts/2001/state?slot=x',
];

const OTHERS = [
  'network/supply',
  'network/supply?q=totalcoins',
  'network/fees',
  'network/exchangerate',
  'network/nodes',
  'network/stake',
  'network/registered-nodes',
  'blocks',
  'schedules?limit=5',
  'accounts?balance=false&limit=2',
];

async function contractOf(get: (path: string) => Promise<Json>): Promise<string | null> {
  const list = await get('transactions?limit=100&transactiontype=CONTRACTCREATEINSTANCE&result=success');
  const [first] = list['transactions'] as readonly { entity_id: string | null }[];
  return first?.entity_id ?? null;
}

async function askFees({ ask }: RecordingServer): Promise<void> {
  const headers = { 'content-type': 'application/protobuf' };
  const body = aTransfer(1);
  const fees = '/api/v1/network/fees';
  await ask('POST', fees, { body, headers });
  await ask('POST', `${fees}?mode=state&include=money,explanation,inner&signatures=2`, { body, headers });
  const toNobody = transactionBytes({
    cryptoTransfer: {
      transfers: {
        accountAmounts: [
          { accountID: account(1001n), amount: -5n },
          { accountID: { alias: new Uint8Array(20).fill(9) }, amount: 5n },
        ],
      },
    },
  });
  await ask('POST', `${fees}?mode=state&include=money,explanation,inner`, { body: toNobody, headers });
  const scheduled = transactionBytes({
    scheduleCreate: {
      scheduledTransactionBody: {
        transactionFee: 5n,
        cryptoTransfer: {
          transfers: {
            accountAmounts: [
              { accountID: account(1001n), amount: -5n },
              { accountID: account(1002n), amount: 5n },
            ],
          },
        },
      },
    },
  });
  await ask('POST', `${fees}?include=money,explanation,inner`, { body: scheduled, headers });
  for (const bytes of [body, toNobody, scheduled]) {
    await ask('POST', `${fees}/estimate?mode=state`, { body: { transaction: bytes.toString('base64') } });
  }
  await ask('POST', `${fees}/estimate`, { body: { transaction: '!' } });
  await ask('POST', fees, { body: Buffer.from([1, 2, 3]), headers });
  await ask('POST', fees, { body: '{}', headers: { 'content-type': 'application/json' } });
  await ask('POST', `${fees}/estimate`, { body: 'text', headers: { 'content-type': 'text/plain' } });
  await ask('POST', fees, { body, headers: { ...headers, accept: 'text/html' } });
  await ask('POST', fees, { body: Buffer.alloc(200_000), headers });
}

/** Things that are not there, and parameters that no route knows. */
async function askRefused(get: (path: string) => Promise<Json>, account: string): Promise<void> {
  const lists = [
    'transactions',
    'accounts',
    'balances',
    'tokens',
    'schedules',
    'blocks',
    'network/supply',
    'network/fees',
    'network/exchangerate',
    'network/nodes',
    'network/stake',
    'network/registered-nodes',
  ];
  const one = [
    'accounts/0.0.999999',
    ...ACCOUNT_LISTS.map((list) => `accounts/0x${'99'.repeat(20)}/${list}`),
    'transactions/0.0.999999-1-1',
    'tokens/0.0.999999',
    'tokens/0.0.999999/nfts',
    'tokens/0.0.999999/nfts/1',
    'tokens/0.0.999999/nfts/1/transactions',
    'tokens/0.0.999999/balances',
    'topics/0.0.999999',
    'topics/0.0.999999/messages',
    'topics/0.0.999999/messages/1',
    'topics/messages/1.000000001',
    'schedules/0.0.999999',
    'contracts/0.0.999999',
    'blocks/999999999',
  ];
  for (const path of one) await get(path);
  const ofAccount = ACCOUNT_LISTS.map((list) => `accounts/${account}/${list}`);
  for (const path of [...lists, ...one, ...ofAccount]) await get(`${path}?limit=0&timestamp=never`);
}
