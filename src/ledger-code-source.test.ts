import { describe, expect, test } from 'vitest';
import { createLedgerCodeSource } from './ledger-code-source.ts';
import type { ContractCodes } from './mirror/contracts/contract-codes.ts';
import { consensusTimestamp } from './values/consensus-timestamp.ts';
import { entityId } from './values/entity-id.ts';

const ADDRESS = `0x${'ab'.repeat(20)}` as const;
const hash = (digit: string) => `0x${digit.repeat(64)}` as const;
const CODE = Uint8Array.of(0x60);
const signal = new AbortController().signal;

const sourceOf = (codes: Partial<ContractCodes>) =>
  createLedgerCodeSource({
    find: async () => null,
    creation: async () => null,
    code: async () => null,
    coverage: async () => ({ firstConsensus: consensusTimestamp(5n), isFromGenesis: false }),
    ...codes,
  });

describe('code from the imported ledger', () => {
  test('is that of the contract, and none for an account', async () => {
    const contract = { kind: 'contract' as const, contract: entityId(7n), runtimeCode: CODE };
    expect(await sourceOf({ find: async () => contract }).runtimeCode(ADDRESS)).toEqual(CODE);
    expect(await sourceOf({ find: async () => ({ kind: 'account' }) }).runtimeCode(ADDRESS)).toHaveLength(0);
  });

  test('is none for an unknown address only when the ledger was imported from its first block', async () => {
    const firstConsensus = consensusTimestamp(5n);
    const whole = sourceOf({ coverage: async () => ({ firstConsensus, isFromGenesis: true }) });
    expect(await whole.runtimeCode(ADDRESS)).toHaveLength(0);
    await expect(sourceOf({}).runtimeCode(ADDRESS)).rejects.toMatchObject({
      code: 'chain_unavailable',
      advice: 'The imported ledger begins at 0.000000005 and has no contract at this address.',
    });
    const empty = sourceOf({ coverage: async () => ({ firstConsensus: null, isFromGenesis: false }) });
    await expect(empty.runtimeCode(ADDRESS)).rejects.toMatchObject({
      advice: 'No ledger has been imported yet.',
    });
  });

  test('cannot be told for a contract whose code no sidecar gave', async () => {
    const contract = { kind: 'contract' as const, contract: entityId(7n), runtimeCode: null };
    await expect(sourceOf({ find: async () => contract }).runtimeCode(ADDRESS)).rejects.toMatchObject({
      advice: expect.stringContaining('has the contract 0.0.7 but not its code'),
    });
  });

  test.each([
    ['nobody named a transaction', null, true],
    ['the transaction that was sent is named', hash('1'), true],
    ['the record of the contract itself is named', hash('2'), true],
    ['another transaction is named', hash('3'), false],
  ])('comes with its creation when %s: %s', async (_, named, isFound) => {
    const source = sourceOf({
      find: async () => ({ kind: 'contract', contract: entityId(7n), runtimeCode: CODE }),
      creation: async () => ({
        creationCode: CODE,
        transactionHash: new Uint8Array(32).fill(0x11),
        recordHash: new Uint8Array(32).fill(0x22),
        blockNumber: 5n,
        transactionIndex: 1,
        deployer: new Uint8Array(20),
      }),
    });
    const found = await source.creation({ address: ADDRESS, runtimeCode: CODE }, named, signal);
    if (isFound) {
      expect(found).toEqual({
        creationCode: CODE,
        transactionHash: hash('1'),
        blockNumber: 5n,
        transactionIndex: 1,
        deployer: `0x${'0'.repeat(40)}`,
        life: 'present',
      });
    } else expect(found).toBeNull();
  });
});
