import { beforeAll, describe, expect, test } from 'vitest';
import { createDirectorySource } from '../../src/mirror/ingest/source/directory-source.ts';
import type { LedgerTransaction, LedgerUnit } from '../../src/mirror/ledger/rows.ts';
import { memoryFileTree, writtenStream } from '../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../test/kit/mirror/ingest/memory-ledger.ts';
import type { WrittenStream } from './write-stream.ts';

const FILES = 1002;
/** Every type of the everyday mix. */
const TYPES = [7, 8, 11, 14, 15, 19, 24, 27, 29, 37, 40, 42, 44, 48, 50, 51, 52, 55, 58, 74];

describe('a ledger of a thousand record files', () => {
  let written: WrittenStream;
  let units: readonly LedgerUnit[];
  let transactions: readonly LedgerTransaction[];

  beforeAll(async () => {
    const stream = await writtenStream({
      files: FILES,
      transactionsPerFile: 4,
      nodes: 2,
      copies: 1,
      accounts: 500,
    });
    written = stream.written;
    const ledger = memoryLedger();
    const report = await ledger.import(createDirectorySource('/stream', stream.tree));
    expect(report).toMatchObject({ units: FILES, refused: [], verification: 'signatures' });
    units = ledger.units;
    transactions = units.flatMap((unit) => unit.transactions);
  });

  test('imports whole, with as many transactions as the writer says', () => {
    expect(transactions.length).toBe(written.transactions);
    expect(transactions.at(0)?.consensusTimestamp).toBe(written.first);
    expect(transactions.at(-1)?.consensusTimestamp).toBe(written.last);
  });

  test('has all types of the everyday mix', () => {
    const types = new Set(transactions.map(({ type }) => type));
    expect([...types].sort((a, b) => a - b)).toEqual(TYPES);
  });

  test('moves hbar and fungible tokens from one account to another', () => {
    const [genesis, ...later] = transactions;
    expect(genesis?.transfers.map(({ account, amount }) => [account, amount])).toEqual([
      [2n, 5_000_000_000_000_000_000n],
    ]);
    for (const { transfers, tokenTransfers, type } of later) {
      expect(transfers.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
      const created = type === 29 ? 1 : 0;
      expect(tokenTransfers.reduce((sum, { amount }) => sum + amount, 0n) === 0n || created === 1).toBe(true);
    }
  });

  test('nobody spends hbar, tokens or an NFT that he does not have', () => {
    const hbar = new Map<bigint, bigint>();
    const tokens = new Map<string, bigint>();
    const owners = new Map<bigint, bigint | null>();
    for (const { nftTransfers, tokenTransfers, transfers } of transactions) {
      for (const { account, amount } of transfers) {
        const balance = (hbar.get(account) ?? 0n) + amount;
        expect(balance).toBeGreaterThanOrEqual(0n);
        hbar.set(account, balance);
      }
      for (const { account, amount, token } of [...tokenTransfers].sort((a, b) =>
        a.amount > b.amount ? -1 : 1,
      )) {
        const balance = (tokens.get(`${token}/${account}`) ?? 0n) + amount;
        expect(balance).toBeGreaterThanOrEqual(0n);
        tokens.set(`${token}/${account}`, balance);
      }
      for (const { receiver, sender, serial } of nftTransfers) {
        expect(owners.get(serial) ?? null).toBe(sender);
        owners.set(serial, receiver);
      }
    }
    expect(tokens.size).toBeGreaterThan(500);
    expect(owners.size).toBeGreaterThan(20);
  });

  test('has failures, children, scheduled transactions, inner ones, rewards, custom fees and mints', () => {
    const has = (condition: (transaction: LedgerTransaction) => boolean) =>
      transactions.filter(condition).length;
    expect(has(({ result }) => ![22, 104, 220].includes(result))).toBeGreaterThan(100);
    expect(has(({ parentConsensusTimestamp }) => parentConsensusTimestamp !== null)).toBeGreaterThan(100);
    expect(
      has(({ nonce, parentConsensusTimestamp }) => nonce > 0 && parentConsensusTimestamp === null),
    ).toBeGreaterThan(10);
    expect(has(({ scheduled }) => scheduled)).toBeGreaterThan(5);
    expect(has(({ innerTransactions }) => innerTransactions.length === 2)).toBeGreaterThan(5);
    expect(has(({ stakingRewards }) => stakingRewards.length > 0)).toBeGreaterThan(50);
    expect(has(({ assessedCustomFees }) => assessedCustomFees.length > 0)).toBeGreaterThan(50);
    expect(has(({ nftTransfers }) => nftTransfers.some(({ sender }) => sender === null))).toBeGreaterThan(20);
  });

  test('has accounts that are in every transaction that users sent, and some that are often in one', () => {
    const counts = new Map<bigint, number>();
    for (const { transfers } of transactions) {
      for (const account of new Set(transfers.map((row) => row.account))) {
        counts.set(account, (counts.get(account) ?? 0) + 1);
      }
    }
    const sent = transactions.filter(({ node }) => node !== null).length;
    expect(counts.get(98n)).toBe(sent);
    expect(counts.get(801n)).toBeGreaterThanOrEqual(sent);
    expect(counts.get(1001n)).toBeGreaterThan(10 * (counts.get(1401n) ?? 0));
  });

  test('renews the stakes at the end of a staking period', () => {
    expect(units.flatMap(({ stakeUpdates }) => stakeUpdates)).toHaveLength(2);
  });
});

test('only the first nodes keep record files when copies are limited', async () => {
  const { tree } = await writtenStream({ files: 2, nodes: 3, copies: 1 });
  const names = [...tree.files.keys()];
  expect(names.filter((name) => name.endsWith('.rcd.gz'))).toHaveLength(2);
  expect(names.filter((name) => name.endsWith('.rcd_sig'))).toHaveLength(6);
  expect(memoryFileTree(tree.files).files.size).toBe(9);
});
