import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aToken } from '../../../test/kit/mirror/ledger/a-token.ts';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { openMemoryStore } from '../../../test/support/test-store.ts';
import type { Store } from '../../store/store.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { type FixtureRows, fixtureUnit } from './fixture-unit.ts';
import type { LedgerRepository } from './ledger-repository.ts';
import type { LedgerUnit, NftTransfer } from './rows.ts';

const QUARTER = 900_000_000_000n;
const START = 1_700_000_000_000_000_000n;
const at = (offset: bigint) => consensusTimestamp(START + offset);
const TOKEN = entityId(90n);
const EVERY_BLOCK = {
  lower: MIN_INT64,
  upper: MAX_INT64,
  equal: null,
  excluded: new Set<bigint>(),
  lowerEnd: 0n,
  upperEnd: MAX_INT64,
  only: null,
  excludedEnds: new Set<bigint>(),
  order: 'asc',
  limit: 10,
} as const;
const [ALICE, BOB] = [entityId(5n), entityId(6n)];

let store: Store;
let ledger: LedgerRepository;
beforeEach(async () => {
  store = await openMemoryStore();
  ledger = store.mirror.ledger;
});
afterEach(() => store.close());

const commit = (name: string, rows: FixtureRows) => ledger.commitUnit(fixtureUnit(name, rows));
/** A unit of a chain that began before it: balances are not known by themselves. */
const commitRecord = (name: string, rows: FixtureRows, header: Partial<LedgerUnit['header']> = {}) => {
  const unit = fixtureUnit(name, rows);
  return ledger.commitUnit({
    ...unit,
    header: { ...unit.header, kind: 'record', version: 6, blockNumber: 7n, ...header },
  });
};
/** Of the test's token, by account; one that is unknown is left out. */
async function balances(time: bigint | null = null) {
  const snapshot = time === null ? null : { at: time, since: 0n };
  const held: (readonly [account: bigint, balance: bigint])[] = [];
  for (const account of [5n, 6n, 7n, 8n, 9n]) {
    for (const { token, balance } of await store.mirror.balances.tokensOf(account, 10, snapshot, 'asc')) {
      expect(token).toBe(TOKEN);
      held.push([account, balance]);
    }
  }
  return held;
}
const moved = (time: bigint, ...amounts: readonly (readonly [bigint, bigint])[]) =>
  aTransaction(START + time, {
    tokenTransfers: amounts.map(([account, amount]) => ({
      token: TOKEN,
      account: entityId(account),
      amount,
      isApproval: false,
    })),
  });
const nft = (sender: bigint | null, receiver: bigint | null, serial: bigint): NftTransfer => ({
  token: TOKEN,
  sender: sender === null ? null : entityId(sender),
  receiver: receiver === null ? null : entityId(receiver),
  serial,
  isApproval: false,
});

describe('settings of an account', () => {
  test('keep what later changes do not name, through all units', async () => {
    await commit('a', {
      transactions: [aTransaction(START)],
      entityChanges: [
        { entity: ALICE, changedTimestamp: at(0n), memo: 'a', stakedNode: 3n, isReceiverSigRequired: true },
        { entity: ALICE, changedTimestamp: at(1n), stakedNode: null, stakedAccount: BOB },
      ],
    });
    await commit('b', {
      transactions: [aTransaction(START + 5n)],
      entityChanges: [{ entity: ALICE, ethereumNonce: 4n }],
    });
    expect(await store.mirror.entities.find(ALICE)).toMatchObject({
      changedTimestamp: at(1n),
      memo: 'a',
      stakedNode: null,
      stakedAccount: BOB,
      isReceiverSigRequired: true,
      ethereumNonce: 4n,
      isDeleted: null,
    });
  });
});

describe('token balances', () => {
  test('follow transfers, NFTs and a new treasury', async () => {
    await commit('a', {
      transactions: [
        moved(0n, [5n, 100n]),
        moved(1n, [5n, -30n], [6n, 30n]),
        aTransaction(START + 2n, { nftTransfers: [nft(null, 7n, 1n), nft(null, 7n, 2n), nft(7n, 8n, 2n)] }),
        aTransaction(START + 3n, { nftTransfers: [nft(7n, 9n, -1n)] }),
        aTransaction(START + 4n, { nftTransfers: [nft(8n, null, 2n)] }),
      ],
    });
    expect(await balances()).toEqual([
      [5n, 70n],
      [6n, 30n],
      [7n, 0n],
      [8n, 0n],
      [9n, 1n],
    ]);
  });

  test('are unknown when neither the token, the account nor the relation began in the import', async () => {
    const relation = { account: BOB, token: TOKEN, consensusTimestamp: at(1n), isAssociated: true };
    await commitRecord('a', {
      transactions: [moved(0n, [5n, 100n]), moved(1n, [5n, -30n], [6n, 30n])],
      tokenRelations: [relation],
    });
    expect(await balances()).toEqual([[6n, 30n]]);
    const follows = (name: string) => ({ previousHash: createHash('sha384').update(name).digest() });
    await commitRecord('b', { transactions: [moved(2n, [6n, -10n])] }, follows('a'));
    expect(await balances()).toEqual([[6n, 20n]]);
    await commitRecord(
      'c',
      {
        transactions: [aTransaction(START + 3n), moved(4n, [6n, -20n])],
        tokenRelations: [{ ...relation, consensusTimestamp: at(4n), isAssociated: false }],
      },
      follows('b'),
    );
    expect(await balances()).toEqual([]);
  });

  test('are what a statement says, at its time among the transfers', async () => {
    const statement = { account: ALICE, token: TOKEN, balance: 50n, timestamp: at(1n) };
    await commit('a', {
      transactions: [moved(0n, [5n, 100n]), moved(2n, [5n, -30n], [6n, 30n])],
      tokenBalances: [statement],
    });
    expect(await balances()).toEqual([
      [5n, 20n],
      [6n, 30n],
    ]);
    // One that is older than the last transfer adds a snapshot alone.
    await commit('b', {
      transactions: [moved(3n, [5n, 1n])],
      tokenBalances: [{ ...statement, balance: 7n }],
    });
    expect(await balances()).toEqual([
      [5n, 21n],
      [6n, 30n],
    ]);
  });

  test('of tokens that were created in the import are known', async () => {
    await commitRecord('a', {
      transactions: [moved(0n, [5n, 100n])],
      tokens: [aToken(TOKEN, at(0n))],
    });
    expect(await balances()).toEqual([[5n, 100n]]);
  });

  test('are forgotten by a jump over missing units, but for what begins after it', async () => {
    const account = (entity: bigint, time: bigint) => ({
      entity: entityId(entity),
      type: 'ACCOUNT' as const,
      alias: null,
      evmAddress: null,
      createdTimestamp: at(time),
    });
    await commitRecord('a', {
      transactions: [moved(0n, [5n, 100n])],
      tokens: [aToken(TOKEN, at(0n))],
      entities: [account(5n, 0n)],
    });
    await commitRecord(
      'b',
      { transactions: [moved(9n, [5n, 1n], [6n, 2n], [7n, 3n])], entities: [account(7n, 8n)] },
      { previousHash: new Uint8Array(48).fill(1) },
    );
    expect(await balances()).toEqual([[7n, 3n]]);
  });

  test('beyond int64 become unknown', async () => {
    const most = 2n ** 63n - 1n;
    await commit('a', { transactions: [moved(0n, [5n, most]), moved(1n, [5n, most])] });
    expect(await balances()).toEqual([]);
  });

  test('are copied with the snapshots of hbar, only the changed ones', async () => {
    await commit('a', { transactions: [moved(0n, [5n, 100n], [6n, 1n])] });
    await commit('b', { transactions: [moved(QUARTER, [5n, 1n])] });
    await commit('c', { transactions: [moved(QUARTER + 1n, [7n, 1n])] });
    await commit('d', { transactions: [moved(2n * QUARTER, [6n, 5n])] });
    expect(await balances(START)).toEqual([]);
    expect(await balances(START + QUARTER)).toEqual([
      [5n, 101n],
      [6n, 1n],
    ]);
    const at = async (since: bigint) =>
      (await store.mirror.balances.tokensOf(5n, 9, { at: START + 2n * QUARTER, since }, 'asc')).length;
    expect([await at(0n), await at(START + QUARTER + 1n)]).toEqual([1, 0]);
  });
});

describe('the number of a unit', () => {
  const blocks = () => store.mirror.blocks.page(EVERY_BLOCK);
  const numbers = async () => (await blocks()).map(({ name, number }) => [name, number]);
  const unit = (name: string, time: bigint, version: number, blockNumber: bigint | null) =>
    commitRecord(name, { transactions: [aTransaction(START + time)] }, { name, version, blockNumber });

  test('counts on from 0 before version 6 and moves along with the first number that is told', async () => {
    await unit('v2', 0n, 2, null);
    await unit('v5', 1n, 5, null);
    expect(await numbers()).toEqual([
      ['v2', 0n],
      ['v5', 1n],
    ]);
    await commit('fixture', { transactions: [aTransaction(START + 2n)] });
    await unit('v6', 3n, 6, 100n);
    await unit('after a gap', 4n, 6, 110n);
    expect(await numbers()).toEqual([
      ['v2', 98n],
      ['v5', 99n],
      ['v6', 100n],
      ['after a gap', 110n],
    ]);
  });

  test('is the one in the file, and gas is stored with it', async () => {
    await commitRecord('a', {
      transactions: [aTransaction(START)],
      gas: { used: 21_000n, bloom: null, receiptsRoot: null },
    });
    await commitRecord('b', { transactions: [aTransaction(START + 1n)] }, { blockNumber: 8n });
    expect(await blocks()).toMatchObject([
      { number: 7n, gasUsed: 21_000n, logsBloom: Buffer.alloc(0) },
      { number: 8n, gasUsed: null, logsBloom: null },
    ]);
  });
});

describe('the expiry of an account', () => {
  const account = entityId(1001n);
  const expiry = async () => (await store.mirror.entities.find(account))?.expiryTimestamp;
  const change = (name: string, offset: bigint, changes: object) =>
    commit(name, {
      transactions: [aTransaction(START + offset)],
      entityChanges: [{ entity: account, changedTimestamp: at(offset), ...changes }],
    });

  test('is the creation and a renewal period until an update sets another', async () => {
    await commit('created', {
      transactions: [aTransaction(START)],
      entities: [
        { entity: account, type: 'ACCOUNT', alias: null, evmAddress: null, createdTimestamp: at(0n) },
      ],
      entityChanges: [{ entity: account, changedTimestamp: at(0n), autoRenewPeriod: 100n }],
    });
    expect(await expiry()).toBe(START + 100n * 1_000_000_000n);
    await change('longer', 1n, { autoRenewPeriod: 500n });
    expect(await expiry()).toBe(START + 500n * 1_000_000_000n);
    await change('set', 2n, { expiryTimestamp: at(7n) });
    await change('longer again', 3n, { autoRenewPeriod: 900n });
    expect(await expiry()).toBe(START + 7n);
  });

  test('is unknown without a creation, and no later than the greatest time', async () => {
    await change('unknown', 1n, { autoRenewPeriod: 500n });
    expect(await expiry()).toBeNull();
    await commit('created', {
      transactions: [aTransaction(START + 2n)],
      entities: [
        { entity: account, type: 'ACCOUNT', alias: null, evmAddress: null, createdTimestamp: at(2n) },
      ],
      entityChanges: [
        { entity: account, changedTimestamp: at(2n), autoRenewPeriod: 9_223_372_036_854_775_807n },
      ],
    });
    expect(await expiry()).toBe(9_223_372_036_854_775_807n);
  });
});

describe('the nonce of an account that sent no Ethereum transaction', () => {
  const nonce = async () => (await store.mirror.entities.find(ALICE))?.ethereumNonce;
  const used = { transactions: [aTransaction(START, { payer: ALICE })], balances: [] };
  const entities = [
    { entity: ALICE, type: 'ACCOUNT', alias: null, evmAddress: null, createdTimestamp: null },
  ] as const;

  test('is 0 in a ledger that is known from its first block', async () => {
    await commit('complete', { ...used, entities });
    expect(await nonce()).toBe(0n);
    await commit('sent', {
      transactions: [aTransaction(START + 1n)],
      entityChanges: [{ entity: ALICE, ethereumNonce: 4n }],
    });
    expect(await nonce()).toBe(4n);
  });

  test('is unknown in a ledger that began in the middle', async () => {
    await commitRecord('middle', { ...used, entities }, { previousHash: Buffer.alloc(48, 1) });
    expect(await nonce()).toBeNull();
  });

  test('of a contract is unknown until the ledger tells it', async () => {
    await commit('contract', {
      transactions: [aTransaction(START)],
      entities: [
        { entity: ALICE, type: 'CONTRACT', alias: null, evmAddress: null, createdTimestamp: at(0n) },
      ],
    });
    expect(await nonce()).toBeNull();
  });
});
