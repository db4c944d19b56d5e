import { describe, expect, test } from 'vitest';
import { checksumAddress } from '../address.ts';
import { readSignatures } from '../signatures.ts';
import { readFieldSelection, selectFields } from './field-selection.ts';

const RECORD = {
  abi: [],
  deployment: { transactionHash: null, blockNumber: '7', transactionIndex: '1', deployer: null },
  signatures: { function: [], event: [], error: [] },
};

describe('readFieldSelection', () => {
  const select = (fields?: string, omit?: string) => selectFields(RECORD, readFieldSelection(fields, omit));

  test('gives nothing beyond the minimal record without a query', () => {
    expect(select()).toEqual({});
    expect(select('matchId,creationMatch,address')).toEqual({});
  });

  test('gives whole fields and single sub-fields', () => {
    expect(select('abi,deployment.blockNumber,deployment.deployer')).toEqual({
      abi: [],
      deployment: { blockNumber: '7', deployer: null },
    });
    expect(select('deployment.blockNumber,deployment')).toEqual({ deployment: RECORD.deployment });
    expect(select('deployment,deployment.blockNumber')).toEqual({ deployment: RECORD.deployment });
  });

  test('leaves sub-fields out, and the whole field when none is left', () => {
    const some = select(undefined, 'deployment.blockNumber,abi');
    expect(some).not.toHaveProperty('abi');
    expect(some['deployment']).toEqual({ transactionHash: null, transactionIndex: '1', deployer: null });
    expect(some['signatures']).toEqual(RECORD.signatures);
    expect(select(undefined, 'signatures.function,signatures.event,signatures.error')).not.toHaveProperty(
      'signatures',
    );
    expect(select(undefined, 'matchId')).toHaveProperty('abi');
  });

  test('gives everything for all', () => {
    expect(select('all')).toMatchObject(RECORD);
  });
});

describe('readSignatures', () => {
  test('prints canonical types, tuples and arrays of them too', () => {
    const components = [{ type: 'address' }, { type: 'tuple[2]', components: [{ type: 'uint8' }] }];
    const abi = [
      { type: 'function', name: 'transfer', inputs: [{ type: 'address' }, { type: 'uint256' }] },
      { type: 'function', name: 'transfer', inputs: [{ type: 'address' }, { type: 'uint256' }] },
      { type: 'event', name: 'Paid', inputs: [{ type: 'tuple[]', components }] },
      { type: 'error', name: 'Empty' },
      { type: 'constructor', inputs: [] },
      { type: 'fallback' },
    ];
    expect(readSignatures(abi).map(({ type, signature }) => `${type} ${signature}`)).toEqual([
      'function transfer(address,uint256)',
      'event Paid((address,(uint8)[2])[])',
      'error Empty()',
    ]);
    expect(readSignatures(abi)[0]?.hash.slice(0, 8)).toBe('a9059cbb');
    expect(readSignatures(null)).toEqual([]);
  });
});

describe('checksumAddress', () => {
  // The examples of EIP-55.
  test.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('prints %s', (address) => {
    expect(checksumAddress(address.toLowerCase() as `0x${string}`)).toBe(address);
  });
});
