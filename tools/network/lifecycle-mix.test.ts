import { beforeAll, describe, expect, test } from 'vitest';
import { createDirectorySource } from '../../src/mirror/ingest/source/directory-source.ts';
import type { LedgerTransaction } from '../../src/mirror/ledger/rows.ts';
import { RESULT } from '../../src/mirror/vocabulary/response-codes.ts';
import { writtenStream } from '../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../test/kit/mirror/ingest/memory-ledger.ts';
import type { StreamOptions } from './written-ledger.ts';

const TWO_HOURS = 7_200_000_000_000n;
const OPTIONS: StreamOptions = {
  mix: 'everything',
  files: 24,
  transactionsPerFile: 200,
  filePeriod: TWO_HOURS,
  nodes: 2,
  copies: 1,
  accounts: 40,
};
/** Every type of the mixture, by number. */
const TYPES = [
  7, 8, 11, 12, 14, 15, 19, 24, 25, 26, 27, 29, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45,
  46, 47, 48, 49, 50, 51, 52, 53, 55, 57, 58, 59, 60, 74,
];
const TOKEN_CREATION = 29;
const SUPPLY_CHANGES = [TOKEN_CREATION, 37, 38, 39, 41];

describe('a ledger of everything', () => {
  let transactions: readonly LedgerTransaction[];

  beforeAll(async () => {
    const { tree } = await writtenStream(OPTIONS);
    const ledger = memoryLedger();
    expect(await ledger.import(createDirectorySource('/stream', tree))).toMatchObject({ refused: [] });
    transactions = ledger.units.flatMap((unit) => unit.transactions);
  });

  test('has all types of the mixture, each of them successful', () => {
    const types = new Set(
      transactions.flatMap(({ result, type }) => (result === RESULT.SUCCESS ? type : [])),
    );
    expect([...types].sort((a, b) => a - b)).toEqual(TYPES);
  });

  test('nobody spends hbar or tokens that he does not have, and none appear or vanish', () => {
    const hbar = new Map<bigint, bigint>();
    const tokens = new Map<string, bigint>();
    for (const [index, { tokenTransfers, transfers, type }] of transactions.entries()) {
      const sum = transfers.reduce((total, { amount }) => total + amount, 0n);
      expect(index === 0 || sum === 0n).toBe(true);
      for (const { account, amount } of transfers) {
        const balance = (hbar.get(account) ?? 0n) + amount;
        expect(balance, `hbar of ${account}`).toBeGreaterThanOrEqual(0n);
        hbar.set(account, balance);
      }
      const units = tokenTransfers.reduce((total, { amount }) => total + amount, 0n);
      expect(units === 0n || SUPPLY_CHANGES.includes(type)).toBe(true);
      for (const { account, amount, token } of tokenTransfers) {
        const balance = (tokens.get(`${account}/${token}`) ?? 0n) + amount;
        // What a dissociation ends of a collection are NFTs, whose balance stands elsewhere.
        expect(balance >= 0n || type === 41, `token ${token} of ${account}`).toBe(true);
        tokens.set(`${account}/${token}`, balance);
      }
    }
  });

  test('an NFT moves from the one who has it', () => {
    const owners = new Map<string, bigint>();
    let hops = 0;
    for (const { nftTransfers } of transactions) {
      if (nftTransfers.length > 1 && nftTransfers[0]?.serial === nftTransfers[1]?.serial) hops++;
      for (const { receiver, sender, serial, token } of nftTransfers) {
        if (serial === -1n) {
          for (const [nft, owner] of owners) {
            if (nft.startsWith(`${token}/`) && owner === sender && receiver !== null)
              owners.set(nft, receiver);
          }
          continue;
        }
        if (sender !== null) expect(owners.get(`${token}/${serial}`)).toBe(sender);
        if (receiver === null) owners.delete(`${token}/${serial}`);
        else owners.set(`${token}/${serial}`, receiver);
      }
    }
    expect(owners.size).toBeGreaterThan(0);
    expect(hops).toBeGreaterThan(0);
  });

  test('ends a staking period with every day', () => {
    const updates = transactions.filter(({ type }) => type === 51).map(({ consensusTimestamp: at }) => at);
    const days = updates.map((at) => at / 86_400_000_000_000n);
    expect(days).toEqual([...new Set(days)]);
    expect(days.length).toBeGreaterThan(2);
  });

  test('is the same when it is written again', async () => {
    const small = { ...OPTIONS, files: 3, transactionsPerFile: 60 };
    const bytes = async (seed: string) => {
      const { tree } = await writtenStream({ ...small, seed });
      return [...tree.files]
        .map(([path, file]) => `${path} ${Buffer.from(file).toString('base64')}`)
        .join('\n');
    };
    const first = await bytes('one');
    expect((await bytes('one')) === first).toBe(true);
    expect((await bytes('two')) === first).toBe(false);
  });
});

test('a ledger of transfers alone has no tokens after what sets it up', async () => {
  const { tree } = await writtenStream({ mix: 'transfers', files: 3, transactionsPerFile: 40 });
  const ledger = memoryLedger();
  expect(await ledger.import(createDirectorySource('/stream', tree))).toMatchObject({ refused: [] });
  const transactions = ledger.units.flatMap((unit) => unit.transactions);
  expect(new Set(ledger.units.slice(1).flatMap((unit) => unit.transactions.map(({ type }) => type)))).toEqual(
    new Set([14]),
  );
  expect(transactions.flatMap(({ tokenTransfers }) => tokenTransfers)).toEqual([]);
});
