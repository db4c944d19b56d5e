import { AbiParameters } from 'ox';
import { describe, expect, test } from 'vitest';
import { abiEntries } from './abi-view.ts';
import { constructorValues, transformationRows } from './match-view.ts';
import { remixLink, sourceTree } from './source-view.ts';
import { storageRows } from './storage-view.ts';

describe('abiEntries', () => {
  const transfer = {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address', internalType: 'address' },
      { name: 'amount', type: 'uint256', internalType: 'uint256' },
    ],
    outputs: [{ name: '', type: 'bool', internalType: 'bool' }],
  };

  test('gives signature, selector and what the authors say', () => {
    const userdoc = { methods: { 'transfer(address,uint256)': { notice: 'Moves tokens.' } } };
    const devdoc = {
      methods: { 'transfer(address,uint256)': { details: 'May revert.', params: { to: 'who' } } },
    };
    expect(abiEntries([transfer], { userdoc, devdoc }, false)).toEqual([
      {
        kind: 'write',
        text: 'transfer(address to, uint256 amount) returns (bool)',
        signature: 'transfer(address,uint256)',
        hash: '0xa9059cbb',
        notes: ['Moves tokens.', 'May revert.', 'to: who'],
      },
    ]);
  });

  test('tells reading functions, events with whole topics, errors and the rest apart', () => {
    const items = [
      { ...transfer, name: 'a', stateMutability: 'view', inputs: [] },
      { type: 'event', name: 'b', inputs: [{ type: 'address', indexed: true, name: 'from' }] },
      { type: 'event', name: 'c', inputs: [], anonymous: true },
      { type: 'error', name: 'd', inputs: [] },
      { type: 'receive', stateMutability: 'payable' },
    ];
    const entries = abiEntries(
      items,
      { userdoc: { errors: { 'd()': [{ notice: 'No.' }] } }, devdoc: null },
      false,
    );
    expect(entries.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'read a() returns (bool)',
      'event b(address indexed from)',
      'event c() anonymous',
      'error d()',
      'special receive() payable',
    ]);
    expect(entries.map(({ hash }) => hash?.length)).toEqual([10, 66, undefined, 10, undefined]);
    expect(entries[3]?.notes).toEqual(['No.']);
  });

  test.each([[null], [{}], [[null, 5, { type: 7, inputs: 'x' }]]])('bears whatever was stored: %j', (abi) => {
    expect(Array.isArray(abiEntries(abi, { userdoc: 5, devdoc: [] }, false))).toBe(true);
  });
});

describe('storageRows', () => {
  const types = {
    t_u: { label: 'uint256', numberOfBytes: '32' },
    t_s: {
      label: 'struct S',
      numberOfBytes: '64',
      members: [
        { label: 'x', slot: '0', offset: 0, type: 't_u' },
        { label: 'y', slot: '1', offset: 0, type: 't_u' },
      ],
    },
    t_m: { label: 'mapping(address => struct S)', numberOfBytes: '32', value: 't_s' },
    t_r: {
      label: 'struct R',
      numberOfBytes: '32',
      members: [{ label: 'r', slot: '0', offset: 0, type: 't_r' }],
    },
  };

  test('expands structs from their slot, and those in mappings from that of an element', () => {
    const storage = [
      { label: 's', slot: '2', offset: 0, type: 't_s' },
      { label: 'm', slot: '4', offset: 0, type: 't_m' },
    ];
    const rows = storageRows({ storage, types });
    expect(rows?.map(({ name, slot, depth }) => `${depth} ${name} ${slot}`)).toEqual([
      '0 s 2',
      '1 x 2',
      '1 y 3',
      '0 m 4',
      '1 x +0',
      '1 y +1',
    ]);
  });

  test('ends for types that hold themselves, and has no word for other forms', () => {
    const rows = storageRows({ storage: [{ label: 'r', slot: '9'.repeat(5000), type: 't_r' }], types });
    expect(rows).toHaveLength(9);
    expect(storageRows({ storage_layout: {} })).toBeNull();
    expect(storageRows({ storage: [null, 5], types: 5 })).toEqual([]);
  });
});

describe('constructorValues', () => {
  const inputs = [
    { name: 'owner', type: 'address' },
    { name: 'steps', type: 'uint256[]' },
    {
      name: 'pair',
      type: 'tuple',
      components: [
        { name: 'a', type: 'string' },
        { name: 'b', type: 'bool' },
      ],
    },
  ];
  const abi = [{ type: 'constructor', inputs }];

  test('names each value with its type', () => {
    const owner = `0x${'ab'.repeat(20)}` as const;
    const data = AbiParameters.encode(
      inputs as never,
      [owner, [1n, 2n ** 255n], { a: 'x"', b: true }] as never,
    );
    const values = constructorValues(abi, data);
    expect(values?.map(({ name, type }) => `${type} ${name}`)).toEqual([
      'address owner',
      'uint256[] steps',
      'tuple pair',
    ]);
    expect(values?.map(({ text }) => text)).toEqual([
      '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB',
      `[1, ${2n ** 255n}]`,
      '{ a: "x\\"", b: true }',
    ]);
  });

  test('is null for bytes that are no arguments', () => {
    expect(constructorValues(abi, '0x01')).toBeNull();
    expect(constructorValues([], '0x01')).toBeNull();
    expect(constructorValues(null, '0x')).toBeNull();
  });
});

test('transformationRows say what was put in, and with which value', () => {
  const rows = transformationRows(
    [
      { type: 'insert', reason: 'constructorArguments', offset: 9 },
      { type: 'replace', reason: 'library', offset: 1, id: 'a.sol:L' },
      { type: 'delete', reason: 'cborAuxdata', offset: 5, id: '1', length: 3 },
    ],
    { constructorArguments: '0x01', libraries: { 'a.sol:L': '0x02' } },
  );
  expect(rows.map(({ value }) => value)).toEqual(['0x01', '0x02', null]);
  expect(rows[1]?.what).toContain('a.sol:L');
  expect(rows[2]?.what).toContain('the code on chain has none');
});

describe('sourceTree', () => {
  test('joins folders that hold one other, and sorts', () => {
    expect(
      sourceTree(['b.sol', '@oz/contracts/x/B.sol', '@oz/contracts/x/A.sol', '@oz/contracts/y/C.sol']),
    ).toEqual({
      name: '',
      files: [{ name: 'b.sol', path: 'b.sol' }],
      folders: [
        {
          name: '@oz/contracts',
          files: [],
          folders: [
            {
              name: 'x',
              folders: [],
              files: [
                { name: 'A.sol', path: '@oz/contracts/x/A.sol' },
                { name: 'B.sol', path: '@oz/contracts/x/B.sol' },
              ],
            },
            { name: 'y', folders: [], files: [{ name: 'C.sol', path: '@oz/contracts/y/C.sol' }] },
          ],
        },
      ],
    });
  });

  test('of a path with thousands of folders is not as deep', () => {
    const depth = (folder: ReturnType<typeof sourceTree>): number =>
      1 + Math.max(0, ...folder.folders.map(depth));
    expect(depth(sourceTree(['a/'.repeat(5000), `${'a/b/'.repeat(100)}c`, 'a/x/y', 'a/b/z']))).toBeLessThan(
      12,
    );
  });
});

describe('remixLink', () => {
  const compilation = {
    language: 'Solidity',
    compilerVersion: '0.8.30+commit.73712a01',
    settings: { optimizer: { enabled: true, runs: 7 }, evmVersion: 'paris' },
  };

  test('holds the file and the settings of the compiler', () => {
    const link = remixLink('contract Ä {}', compilation) ?? '';
    expect(link).toMatch(
      /^https:\/\/remix\.ethereum\.org\/#language=Solidity&version=soljson-v0\.8\.30\+commit\.73712a01\.js&optimize=true&runs=7&evmVersion=paris&code=/,
    );
    const [, code = ''] = link.split('&code=');
    expect(Buffer.from(decodeURIComponent(code), 'base64').toString()).toBe('contract Ä {}');
  });

  test('has runs that no number of JavaScript holds', () => {
    const settings = { optimizer: { enabled: true, runs: '18446744073709551615' } };
    expect(remixLink('x', { ...compilation, settings })).toContain('&runs=18446744073709551615&');
  });

  test('is null for what Remix cannot take', () => {
    expect(remixLink('x', { ...compilation, language: 'Vyper' })).toBeNull();
    expect(remixLink('x'.repeat(30_000), compilation)).toBeNull();
  });
});
