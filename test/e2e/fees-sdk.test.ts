import { createServer, type Server } from 'node:http';
import {
  AccountAllowanceApproveTransaction,
  AccountCreateTransaction,
  AccountId,
  Client,
  ContractCreateTransaction,
  ContractId,
  FeeEstimateMode,
  FeeEstimateQuery,
  FileAppendTransaction,
  FileCreateTransaction,
  FileId,
  Hbar,
  MirrorNodeAccountBalanceQuery,
  PrivateKey,
  RegisteredNodeAddressBookQuery,
  ScheduleCreateTransaction,
  TokenAssociateTransaction,
  TokenCreateTransaction,
  TokenId,
  TokenMintTransaction,
  TopicCreateTransaction,
  TopicDeleteTransaction,
  TopicMessageSubmitTransaction,
  type Transaction,
  TransactionId,
  TransferTransaction,
} from '@hiero-ledger/sdk';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerUnit } from '../../src/mirror/ledger/rows.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import { buildFeeApp } from '../kit/mirror/fees/fee-app.ts';
import { aToken } from '../kit/mirror/ledger/a-token.ts';
import { isLeftOut } from '../support/left-out.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const PAYER = AccountId.fromString('0.0.1001');
const RECEIVER = AccountId.fromString('0.0.2000');
const NODE = AccountId.fromString('0.0.3');
const EVM_ADDRESS = 'ab'.repeat(20);
const ENDPOINT = {
  ipAddress: null,
  domainName: 'node.example',
  port: 443,
  requiresTls: true,
  apis: [],
  description: null,
};
const CONTRACT_ADDRESS = 'cd'.repeat(20);
const keys = [1, 2, 3].map((fill) => PrivateKey.fromBytesED25519(new Uint8Array(32).fill(fill)));
const [key, second, third] = keys as [PrivateKey, PrivateKey, PrivateKey];

/** What a person would build with the SDK, and what one signature of it costs in tinycents. */
const TRANSACTIONS: readonly (readonly [string, () => Transaction, number])[] = [
  ['CryptoTransfer', hbarTransfer, 1_000_000],
  ['CryptoCreate', () => new AccountCreateTransaction().setKeyWithoutAlias(key.publicKey), 500_000_000],
  ['ConsensusSubmitMessage of 100 bytes', () => message(100), 1_700_000],
  ['ConsensusSubmitMessage of 1024 bytes', () => message(1024), 7_983_200],
  [
    'TokenCreate',
    () =>
      new TokenCreateTransaction()
        .setTokenName('token')
        .setTokenSymbol('T')
        .setTreasuryAccountId(PAYER)
        .setAdminKey(key.publicKey),
    10_000_000_000,
  ],
  [
    'ContractCreate',
    () => new ContractCreateTransaction().setBytecodeFileId(FileId.fromString('0.0.5000')).setGas(100_000),
    10_000_000_000,
  ],
  ['ConsensusCreateTopic', () => new TopicCreateTransaction(), 100_000_000],
  [
    'FileCreate',
    () => new FileCreateTransaction().setKeys([key.publicKey]).setContents(new Uint8Array(1000)),
    500_000_000,
  ],
  ['FileAppend', () => new FileAppendTransaction().setFileId('0.0.5000').setContents('a'), 500_000_000],
  [
    'TokenMint of one NFT',
    () => new TokenMintTransaction().setTokenId('0.0.6006').addMetadata(Uint8Array.of(1)),
    200_000_000,
  ],
  [
    'TokenAssociateToAccount',
    () => new TokenAssociateTransaction().setAccountId(PAYER).setTokenIds([TokenId.fromString('0.0.5005')]),
    500_000_000,
  ],
  [
    'CryptoApproveAllowance',
    () =>
      new AccountAllowanceApproveTransaction().approveHbarAllowance(PAYER, RECEIVER, Hbar.fromTinybars(1)),
    500_000_000,
  ],
  [
    'ScheduleCreate',
    () => new ScheduleCreateTransaction().setScheduledTransaction(hbarTransfer()),
    100_000_000,
  ],
  ['ConsensusDeleteTopic', () => new TopicDeleteTransaction().setTopicId('0.0.7007'), 50_000_000],
];

function hbarTransfer(): TransferTransaction {
  return new TransferTransaction()
    .addHbarTransfer(PAYER, Hbar.fromTinybars(-5))
    .addHbarTransfer(RECEIVER, Hbar.fromTinybars(5));
}

function message(length: number): TopicMessageSubmitTransaction {
  return new TopicMessageSubmitTransaction().setTopicId('0.0.7007').setMessage('a'.repeat(length));
}

describe('POST /api/v1/network/fees with transactions signed by the SDK', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await buildFeeApp();
  });
  afterAll(() => app.close());

  test.each(TRANSACTIONS)('%s with one signature', async (_name, build, total) => {
    expect(await estimate(await signed(build(), [key]))).toMatchObject({ total });
  });

  test('every further signature costs 1 000 000 tinycents', async () => {
    const answer = await estimate(await signed(hbarTransfer(), [key, second, third]));
    expect(answer).toMatchObject({
      total: 3_000_000,
      node: { extras: [{ name: 'SIGNATURES', count: 3, included: 1, charged: 2, subtotal: 200_000 }] },
    });
  });

  async function estimate(bytes: Uint8Array): Promise<unknown> {
    const response = await app.inject({
      method: 'POST',
      url: '/api/v1/network/fees',
      headers: { 'content-type': 'application/protobuf' },
      payload: Buffer.from(bytes),
    });
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  }
});

/** With a mirror on localhost the SDK uses these, whatever port it was given. */
const SDK_PORTS = [5551, 8084];
const taken: number[] = [];
for (const port of SDK_PORTS) if (!(await isFree(port))) taken.push(port);
const portsTaken =
  taken.length === 0 ? null : `skipped: the SDK's fixed ports ${taken.join(', ')} are taken on this machine`;

describe.skipIf(isLeftOut(portsTaken))('queries of the SDK against the whole server, unmodified', () => {
  let server: TestServer;
  const listeners: Server[] = [];
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer({});
    await server.services.mirror.ledger.commitUnit(
      fixtureUnit('token', {
        tokens: [aToken(5005n, 1n)],
      }),
    );
    await server.services.mirror.ledger.commitUnit(knownToTheSdk());
    for (const port of SDK_PORTS) {
      const listener = createServer((request, response) => server.app.routing(request, response));
      listeners.push(listener);
      await new Promise<void>((resolve, reject) => {
        listener.once('error', reject).listen(port, '127.0.0.1', resolve);
      });
    }
    client = Client.forNetwork({ '127.0.0.1:50211': NODE });
    client.setMirrorNetwork(['127.0.0.1:5551']);
    client.setOperator(PAYER, key);
  });
  afterAll(async () => {
    client.close();
    for (const listener of listeners) {
      listener.close();
      listener.closeAllConnections();
    }
    await server.close();
  });

  test.each(TRANSACTIONS)('%s', async (_name, build, total) => {
    const response = await new FeeEstimateQuery().setTransaction(build()).execute(client);
    expect(Number(response.total)).toBe(total);
    expect(Number(response.networkFee.multiplier)).toBe(9);
  });

  test.each(TRANSACTIONS)('%s that was frozen and signed before', async (_name, build, total) => {
    const transaction = build()
      .setTransactionId(TransactionId.generate(PAYER))
      .setNodeAccountIds([NODE])
      .freeze();
    await transaction.sign(key);
    const response = await new FeeEstimateQuery().setTransaction(transaction).execute(client);
    // The client leaves the signatures out of what it posts, and one is covered.
    expect(Number(response.total)).toBe(total);
  });

  test('a file in chunks is added up by the client', async () => {
    const append = new FileAppendTransaction()
      .setFileId('0.0.5000')
      .setChunkSize(1000)
      .setContents('a'.repeat(3000));
    const response = await new FeeEstimateQuery().setTransaction(append).execute(client);
    expect(Number(response.total)).toBe(3 * 500_000_000);
  });

  test('state mode knows the price of a token transfer', async () => {
    const transfer = new TransferTransaction()
      .addTokenTransfer(TokenId.fromString('0.0.5005'), PAYER, -1)
      .addTokenTransfer(TokenId.fromString('0.0.5005'), RECEIVER, 1);
    const intrinsic = await new FeeEstimateQuery().setTransaction(transfer).execute(client);
    const state = await new FeeEstimateQuery()
      .setMode(FeeEstimateMode.STATE)
      .setTransaction(transfer)
      .execute(client);
    expect([Number(intrinsic.total), Number(state.total)]).toEqual([2_000_000, 10_000_000]);
  });

  test('a message in chunks is added up by the client', async () => {
    const response = await new FeeEstimateQuery().setTransaction(message(2048)).execute(client);
    expect(Number(response.total)).toBe(2 * 7_983_200);
  });

  test('the client shows the cause of a refusal', async () => {
    const transfer = new TransferTransaction();
    for (let index = 0; index < 11; index += 1) {
      transfer.addHbarTransfer(`0.0.${3000 + index}`, Hbar.fromTinybars(index === 0 ? -10 : 1));
    }
    await expect(new FeeEstimateQuery().setTransaction(transfer).execute(client)).rejects.toThrow(
      'Transaction contains 11 hbar transfers, which exceeds the maximum of 10',
    );
  });

  test.each([
    ['its number', () => RECEIVER, 777],
    ['its EVM address', () => AccountId.fromEvmAddress(0, 0, EVM_ADDRESS), 777],
    ['its alias', () => key.publicKey.toAccountId(0, 0), 777],
    ['the number of a contract', () => '0.0.4001', 55],
    ['a number that nobody has', () => '0.0.999999', 0],
  ])('MirrorNodeAccountBalanceQuery finds an account by %s', async (_form, account, balance) => {
    const found = await new MirrorNodeAccountBalanceQuery().setAccountId(account()).execute(client);
    expect(found.hbars.toTinybars().toNumber()).toBe(balance);
  });

  // Each waits three seconds before it asks.
  test('ids of accounts and contracts are completed from the mirror', async () => {
    const [num, address, contract] = await Promise.all([
      AccountId.fromEvmAddress(0, 0, EVM_ADDRESS).populateAccountNum(client),
      AccountId.fromString('0.0.2000').populateAccountEvmAddress(client),
      ContractId.fromEvmAddress(0, 0, CONTRACT_ADDRESS).populateAccountNum(client),
    ]);
    expect(num.num.toNumber()).toBe(2000);
    expect(address.evmAddress?.toString()).toBe(EVM_ADDRESS);
    expect(contract.num.toNumber()).toBe(4001);
  });

  test.each([1, 2, 100])('RegisteredNodeAddressBookQuery reads all nodes %d at a time', async (limit) => {
    const book = await new RegisteredNodeAddressBookQuery().setLimit(limit).execute(client);
    expect(book.registeredNodes.map((node) => [Number(node.registeredNodeId), node.description])).toEqual([
      [1, 'node 1'],
      [2, 'node 2'],
      [3, 'node 3'],
    ]);
    const [first] = book.registeredNodes;
    expect(first?.adminKey.toString()).toBe(key.publicKey.toString());
    expect(first?.serviceEndpoints).toMatchObject([{ port: 443, requiresTls: true }]);
  });
});

/** An account with number, alias and EVM address, a contract, and registered nodes of three services. */
function knownToTheSdk(): LedgerUnit {
  const [since, adminKey] = [consensusTimestamp(5n), key.publicKey.toBytesRaw()];
  const keyBytes = Buffer.concat([Buffer.of(0x12, 0x20), adminKey]);
  const [account, contract] = [entityId(2000n), entityId(4001n)];
  const known = { createdTimestamp: since };
  return fixtureUnit('known to the SDK', {
    entities: [
      {
        ...known,
        entity: account,
        type: 'ACCOUNT',
        alias: keyBytes,
        evmAddress: Buffer.from(EVM_ADDRESS, 'hex'),
      },
      {
        ...known,
        entity: contract,
        type: 'CONTRACT',
        alias: null,
        evmAddress: Buffer.from(CONTRACT_ADDRESS, 'hex'),
      },
    ],
    entityChanges: [
      { entity: account, type: 'ACCOUNT', changedTimestamp: since, key: keyBytes },
      { entity: contract, type: 'CONTRACT', changedTimestamp: since, key: null },
    ],
    balances: [
      { account, balance: 777n, timestamp: since },
      { account: contract, balance: 55n, timestamp: since },
    ],
    registeredNodes: (['block_node', 'mirror_node', 'rpc_relay'] as const).map((service, index) => ({
      registeredNodeId: BigInt(index + 1),
      consensusTimestamp: consensusTimestamp(BigInt(index + 6)),
      isDeleted: false,
      isCreated: true,
      adminKey: keyBytes,
      description: `node ${index + 1}`,
      endpoints: [{ ...ENDPOINT, service }],
    })),
  });
}

/** Freezes and signs without a network; the bytes of the one `Transaction` inside the SDK's list. */
async function signed(transaction: Transaction, signers: readonly PrivateKey[]): Promise<Uint8Array> {
  transaction.setTransactionId(TransactionId.generate(PAYER)).setNodeAccountIds([NODE]).freeze();
  for (const signer of signers) await transaction.sign(signer);
  return firstOfList(transaction.toBytes());
}

/** `TransactionList` has one field: tag 0x0a, length, transaction, and so on. */
function firstOfList(list: Uint8Array): Uint8Array {
  expect(list[0]).toBe(0x0a);
  let length = 0;
  let at = 1;
  for (let shift = 0; ; shift += 7) {
    const byte = list[at++] ?? 0;
    length += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return list.subarray(at, at + length);
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
