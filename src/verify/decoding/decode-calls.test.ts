import { setImmediate } from 'node:timers/promises';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encode } from 'ox/AbiParameters';
import { describe, expect, test } from 'vitest';
import type { DecodeRequest } from '../../values/decode-calls.ts';
import { bareHex, type Hex, parseHex, toHex } from '../../values/hex.ts';
import { readSignatures } from '../signatures.ts';
import type { VerifyStore } from '../verify-store.ts';
import { createDecodeCalls } from './decode-calls.ts';
import { COMPILATIONS_OF_A_TOPIC } from './decoding-repository.ts';
import { readSignature } from './read-parameters.ts';

const A = `0x${'aa'.repeat(20)}` as const;
const B = `0x${'bb'.repeat(20)}` as const;
/** Nobody verified it. */
const C = `0x${'cc'.repeat(20)}` as const;
const WHO = `0x${'12'.repeat(20)}` as const;

const input = (type: string, name = '', more = {}) => ({ name, type, ...more });
const indexed = (type: string, name = '') => input(type, name, { indexed: true });
const aFunction = (name: string, inputs: readonly object[], outputs: readonly object[] = []) => ({
  type: 'function',
  name,
  inputs,
  outputs,
});
const anEvent = (name: string, ...inputs: readonly object[]) => ({ type: 'event', name, inputs });

const ERC20 = [
  { type: 'constructor', inputs: [input('uint256', 'supply')] },
  { type: 'fallback', stateMutability: 'payable' },
  { type: 'receive', stateMutability: 'payable' },
  aFunction('transfer', [input('address', 'to'), input('uint256', 'amount')], [input('bool')]),
  aFunction('mint', [input('uint256', 'amount')]),
  aFunction('mint', [input('address', 'to'), input('uint256', 'amount')]),
  anEvent('Transfer', indexed('address', 'from'), indexed('address', 'to'), input('uint256', 'value')),
  { type: 'error', name: 'NotEnough', inputs: [input('uint256', 'has')] },
];

/** Keeps ABIs in memory: contracts by their address on chain 1. */
function keep(contracts: Readonly<Record<Hex, unknown>>) {
  const stored = Object.entries(contracts).map(([address, abi], index) => ({
    address: address as Hex,
    compilationId: BigInt(index + 1),
    artifacts: JSON.stringify({ abi }),
    abi,
  }));
  const sized = ({ compilationId, artifacts }: (typeof stored)[number]) => ({
    compilationId,
    bytes: artifacts.length,
  });
  const statements: string[] = [];
  const listed = (type: string, hashes: readonly string[]) =>
    stored.flatMap((contract) =>
      readSignatures(contract.abi)
        .filter((known) => known.type === type)
        .flatMap(({ signature, hash }) =>
          hashes.filter((asked) => hash.startsWith(asked)).map((asked) => ({ contract, signature, asked })),
        ),
    );
  const repository: VerifyStore['decoding'] = {
    async listOfAddresses(chainId, addresses) {
      statements.push('addresses');
      return stored
        .filter(({ address }) => chainId === '1' && addresses.includes(address))
        .map((contract) => ({ ...sized(contract), address: contract.address }));
    },
    async readArtifacts(ids) {
      statements.push('artifacts');
      return stored.filter(({ compilationId }) => ids.includes(compilationId));
    },
    async listOfSelectors(type, selectors, limit) {
      statements.push(type);
      const found = listed(type, selectors).map(({ signature, asked }) => ({ selector: asked, signature }));
      return [...new Map(found.map((each) => [`${each.signature}`, each])).values()].slice(0, limit);
    },
    async listOfTopics(topics) {
      statements.push('topics');
      return topics.flatMap((topic) =>
        listed('event', [topic])
          .slice(0, COMPILATIONS_OF_A_TOPIC)
          .map(({ contract }) => ({ ...sized(contract), topic })),
      );
    },
  };
  return { decode: createDecodeCalls(repository), statements };
}

const bytes = (hex: string) => parseHex(hex) ?? expect.fail(`${hex} is hex`);
const hashOf = (signature: string) => toHex(keccak_256(Buffer.from(signature)));

function encodeFor(signature: string, values: readonly unknown[]): string {
  const types = (readSignature(signature)?.inputs ?? []).map(({ type }) => ({ name: '', type: type.text }));
  return encode(types as never, values as never).slice(2);
}

const call = (signature: string, ...values: readonly unknown[]): Uint8Array =>
  bytes(`${hashOf(signature).slice(0, 10)}${encodeFor(signature, values)}`);
const at = (address: Hex) => ({ chain: '1', address: bytes(address) });
const aCall = (address: Hex, data: Uint8Array, returned?: Uint8Array): DecodeRequest => ({
  kind: 'call',
  ...at(address),
  data,
  ...(returned === undefined ? {} : { returned }),
});
const aRevert = (address: Hex, data: Uint8Array): DecodeRequest => ({ kind: 'revert', ...at(address), data });
const aLog = (address: Hex, topics: readonly string[], data = '0x'): DecodeRequest => ({
  kind: 'log',
  ...at(address),
  topics: topics.map(bytes),
  data: bytes(data),
});
const word = (hex: string) => `0x${hex.replace('0x', '').padStart(64, '0')}`;

async function decode(contracts: Readonly<Record<Hex, unknown>>, ...requests: readonly DecodeRequest[]) {
  const answers = await keep(contracts).decode.decodeAll(requests);
  return answers.length === 1 ? answers[0] : answers;
}

describe('a call', () => {
  const transfer = call('transfer(address,uint256)', WHO, 2n ** 255n + 1n);

  test('is decoded with the ABI of the contract, with what it returned', async () => {
    expect(await decode({ [A]: ERC20 }, aCall(A, transfer, bytes(word('01'))))).toEqual({
      name: 'transfer',
      signature: 'transfer(address,uint256)',
      arguments: [
        { name: 'to', type: 'address', value: WHO },
        { name: 'amount', type: 'uint256', value: (2n ** 255n + 1n).toString() },
      ],
      source: 'contract',
      returned: [{ name: null, type: 'bool', value: true }],
    });
  });

  test('whose return value is none of its function keeps its arguments alone', async () => {
    expect(await decode({ [A]: ERC20 }, aCall(A, transfer, bytes(word('02'))))).not.toHaveProperty(
      'returned',
    );
  });

  test('of another contract is decoded by its signature, without names', async () => {
    expect(await decode({ [A]: ERC20 }, aCall(C, transfer, bytes(word('01'))))).toEqual({
      name: 'transfer',
      signature: 'transfer(address,uint256)',
      arguments: [
        { name: null, type: 'address', value: WHO },
        { name: null, type: 'uint256', value: (2n ** 255n + 1n).toString() },
      ],
      source: 'signature',
    });
  });

  test('on another chain is not decoded with the ABI of the contract', async () => {
    expect(await decode({ [A]: ERC20 }, { ...aCall(A, transfer), chain: '2' })).toMatchObject({
      source: 'signature',
    });
  });

  test('finds the right one of overloaded functions', async () => {
    const answers = await decode(
      { [A]: ERC20 },
      aCall(A, call('mint(uint256)', 5n)),
      aCall(A, call('mint(address,uint256)', WHO, 6n)),
    );
    expect(answers).toMatchObject([{ signature: 'mint(uint256)' }, { signature: 'mint(address,uint256)' }]);
  });

  test.each([
    ['trailing bytes', Buffer.concat([transfer, Buffer.alloc(1)])],
    ['missing bytes', transfer.subarray(0, -1)],
    ['no arguments', transfer.subarray(0, 4)],
    ['less than a selector', transfer.subarray(0, 3)],
    ['nothing', new Uint8Array()],
    ['arguments of the constructor', bytes(word('0f4240'))],
    ['an unknown selector', bytes('0x12345678')],
  ])('with %s is not decoded', async (_, data) => {
    expect(await decode({ [A]: ERC20, [B]: ERC20 }, aCall(A, data))).toBeNull();
    expect(await decode({ [A]: ERC20, [B]: ERC20 }, aCall(C, data))).toBeNull();
  });

  test('shows tuples and arrays nested, with their names', async () => {
    const components = [input('address', 'to'), input('bytes', 'data')];
    const abi = [aFunction('run', [input('tuple[]', 'calls', { components }), input('uint8[2]', 'modes')])];
    const data = bytes(
      `${hashOf('run((address,bytes)[],uint8[2])').slice(0, 10)}${encode(
        [
          { name: '', type: 'tuple[]', components },
          { name: '', type: 'uint8[2]' },
        ] as never,
        [[{ to: WHO, data: '0xff' }], [1, 2]] as never,
      ).slice(2)}`,
    );
    const [answer, bySignature] = (await decode({ [A]: abi }, aCall(A, data), aCall(C, data))) as never[];
    expect(answer).toMatchObject({
      signature: 'run((address,bytes)[],uint8[2])',
      arguments: [
        {
          name: 'calls',
          type: '(address,bytes)[]',
          value: [
            [
              { name: 'to', type: 'address', value: WHO },
              { name: 'data', type: 'bytes', value: '0xff' },
            ],
          ],
        },
        { name: 'modes', type: 'uint8[2]', value: ['1', '2'] },
      ],
    });
    expect(bySignature).toMatchObject({
      source: 'signature',
      arguments: [{ value: [[{ name: null }, { name: null }]] }, {}],
    });
  });

  test('is decoded by the one signature of its selector that explains it', async () => {
    // Both have the selector a9059cbb.
    const many = aFunction('many_msg_babbage', [input('bytes1')]);
    const short = bytes(`0xa9059cbb01${'00'.repeat(31)}`);
    const contracts = { [A]: ERC20, [B]: [many] };
    expect(await decode(contracts, aCall(C, transfer))).toMatchObject({ name: 'transfer' });
    expect(await decode(contracts, aCall(C, short))).toMatchObject({ name: 'many_msg_babbage' });
    // The ABI of the contract knows the selector: bytes that it does not explain are nobody's.
    expect(await decode(contracts, aCall(A, short))).toBeNull();
  });
});

describe('a revert', () => {
  test.each([
    ['NotEnough(uint256)', [7n], A, 'contract', 'has'],
    ['NotEnough(uint256)', [7n], C, 'signature', null],
    ['Panic(uint256)', [17n], A, 'language', null],
    ['Error(string)', ['no'], C, 'language', null],
  ] as const)('%s of %s at %s is decoded', async (signature, values, address, source, name) => {
    expect(await decode({ [A]: ERC20 }, aRevert(address, call(signature, ...values)))).toEqual({
      name: signature.split('(')[0],
      signature,
      arguments: [{ name, type: /\((.*)\)/.exec(signature)?.[1], value: String(values[0]) }],
      source,
    });
  });

  test('is not decoded as a function', async () => {
    expect(await decode({ [A]: ERC20 }, aRevert(A, call('mint(uint256)', 1n)))).toBeNull();
  });
});

describe('a log', () => {
  const TRANSFER = hashOf('Transfer(address,address,uint256)');
  const topics = [TRANSFER, word(WHO), word('0')];
  const parts = (name: (text: string) => string | null) => [
    { name: name('from'), type: 'address', value: WHO, indexed: true },
    { name: name('to'), type: 'address', value: `0x${'00'.repeat(20)}`, indexed: true },
    { name: name('value'), type: 'uint256', value: '5', indexed: false },
  ];

  test('is decoded with the ABI of the contract, or as others have the event', async () => {
    const [own, other] = (await decode(
      { [A]: ERC20 },
      aLog(A, topics, word('5')),
      aLog(C, topics, word('5')),
    )) as never[];
    expect(own).toMatchObject({ name: 'Transfer', source: 'contract', arguments: parts((text) => text) });
    expect(other).toMatchObject({ name: 'Transfer', source: 'signature', arguments: parts(() => null) });
  });

  test('of the same topic with other indexed arguments is decoded by the one that fits', async () => {
    const erc721 = [anEvent('Transfer', indexed('address'), indexed('address'), indexed('uint256', 'id'))];
    const contracts = { [A]: ERC20, [B]: erc721 };
    expect(await decode(contracts, aLog(C, [...topics, word('5')]))).toMatchObject({
      arguments: [{}, {}, { value: '5', indexed: true }],
    });
    expect(await decode(contracts, aLog(C, topics, word('5')))).toMatchObject({
      arguments: [{}, {}, { value: '5', indexed: false }],
    });
    expect(await decode(contracts, aLog(A, [...topics, word('5')]))).toBeNull();
  });

  test('that fits the event of two contracts in two ways is not decoded', async () => {
    const first = [anEvent('Set', indexed('uint256'), input('uint256'))];
    const second = [anEvent('Set', input('uint256'), indexed('uint256'))];
    const log = (address: Hex) => aLog(address, [hashOf('Set(uint256,uint256)'), word('1')], word('2'));
    expect(await decode({ [A]: first, [B]: second }, log(C))).toBeNull();
    expect(await decode({ [A]: first, [B]: second }, log(B))).toMatchObject({
      arguments: [{ value: '2' }, { value: '1' }],
    });
    // An ABI may have both, of the contract and of a library that it uses.
    expect(await decode({ [A]: [...first, ...second] }, log(A))).toBeNull();
    expect(await decode({ [A]: [...first, ...first] }, log(A))).toMatchObject({ source: 'contract' });
  });

  test('tells indexed arguments without a fixed size as their hash', async () => {
    const abi = [anEvent('Named', indexed('string', 'name'), indexed('uint8[2]', 'pair'))];
    const log = aLog(A, [hashOf('Named(string,uint8[2])'), hashOf('a'), word('7')]);
    expect(await decode({ [A]: abi }, log)).toMatchObject({
      arguments: [
        { name: 'name', type: 'string', value: null, hash: hashOf('a'), indexed: true },
        { name: 'pair', type: 'uint8[2]', value: null, hash: word('7'), indexed: true },
      ],
    });
  });

  const note = {
    ...anEvent('LogNote', indexed('bytes4', 'sig'), indexed('address', 'usr'), input('bytes', 'data')),
    anonymous: true,
  };
  const noteTopics = [`0xa9059cbb${'00'.repeat(28)}`, word(WHO)];
  const noteData = `0x${encodeFor('f(bytes)', ['0x01'])}`;

  test('of an anonymous event is decoded when one of the contract alone fits', async () => {
    expect(await decode({ [A]: [note] }, aLog(A, noteTopics, noteData))).toMatchObject({
      name: 'LogNote',
      source: 'contract',
      arguments: [{ value: '0xa9059cbb' }, { value: WHO }, { value: '0x01' }],
    });
    const other = { ...note, name: 'Other' };
    expect(await decode({ [A]: [note, other] }, aLog(A, noteTopics, noteData))).toBeNull();
    expect(await decode({ [A]: [note] }, aLog(C, noteTopics, noteData))).toBeNull();
    const named = [anEvent('Named', indexed('address'))];
    const bySignature = aLog(A, [hashOf('Named(address)'), word(WHO)]);
    const any = { ...anEvent('Any', indexed('bytes32'), indexed('address')), anonymous: true };
    expect(await decode({ [A]: [any], [B]: named }, bySignature)).toMatchObject({ name: 'Named' });
  });

  test.each([
    ['without topics', []],
    ['with an unknown topic', [word('1')]],
    ['with too few topics', [TRANSFER, word(WHO)]],
    ['with too many topics', [...topics, word('5')]],
    ['with a topic that is no address', [TRANSFER, `0x${'ff'.repeat(32)}`, word('0')]],
    ['with topics of other lengths', [TRANSFER, WHO, word('0')]],
  ])('%s is not decoded', async (_, others) => {
    expect(await decode({ [A]: ERC20 }, aLog(A, others, word('5')))).toBeNull();
  });
});

describe('a page', () => {
  const transfer = call('transfer(address,uint256)', WHO, 1n);

  test('of a hundred takes as many statements as one', async () => {
    const { decode: decoder, statements } = keep({ [A]: ERC20, [B]: ERC20 });
    const requests = Array.from({ length: 100 }, (_, index) => [
      aCall(A, transfer),
      aCall(B, transfer),
      aCall(`0x${String(index).padStart(40, '0')}`, transfer),
      aLog(C, [hashOf('Transfer(address,address,uint256)'), word(WHO), word('0')], word('1')),
      aRevert(C, call('NotEnough(uint256)', 1n)),
    ]).flat();
    const answers = await decoder.decodeAll(requests);
    expect(answers.filter((answer) => answer === null)).toEqual([]);
    expect(statements).toEqual(['addresses', 'artifacts', 'function', 'error', 'topics']);
  });

  test('reads an ABI once, and asks each time which one an address shows', async () => {
    const { decode: decoder, statements } = keep({ [A]: ERC20 });
    for (let count = 0; count < 2; count += 1) {
      expect(await decoder.decodeAll([aCall(A, transfer)])).toMatchObject([{ source: 'contract' }]);
    }
    expect(statements).toEqual(['addresses', 'artifacts', 'addresses']);
  });

  test('of nothing asks nothing', async () => {
    const { decode: decoder, statements } = keep({ [A]: ERC20 });
    expect(await decoder.decodeAll([])).toEqual([]);
    expect(statements).toEqual([]);
  });

  /** Turns that others had while something was done. */
  async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
    const state = { turns: 0, isOver: false };
    const count = async () => {
      while (!state.isOver) {
        await setImmediate();
        state.turns += 1;
      }
    };
    const counting = count();
    await work();
    state.isOver = true;
    await counting;
    return state.turns;
  }

  test('of contracts with thousands of functions leaves others their turns', async () => {
    const abi = Array.from({ length: 2000 }, (_, index) => ({ name: `f${index}`, inputs: [] }));
    const contracts = [1, 2, 3, 4, 5].map((index) => [`0x${String(index).repeat(40)}`, abi] as const);
    const { decode: decoder } = keep(Object.fromEntries(contracts));
    const calls = contracts.map(([address]) => aCall(address as Hex, call('f1999()')));
    const turns = await turnsDuring(async () => {
      expect((await decoder.decodeAll(calls)).map((answer) => answer?.source)).toEqual(
        calls.map(() => 'contract'),
      );
    });
    // Twenty microseconds each, a turn after three milliseconds.
    expect(turns).toBeGreaterThan(50);
  });

  test('of more functions than any contracts have leaves out what is beyond', async () => {
    const functions = (count: number) =>
      keepText(
        JSON.stringify({ abi: Array.from({ length: count }, (_, index) => aFunction(`f${index}`, [])) }),
      ).decodeAll([aCall(A, call('f7()'))]);
    expect(await functions(2000)).toMatchObject([{ name: 'f7' }]);
    expect(await functions(2001)).toEqual([null]);
    expect(await functions(10_000)).toEqual([null]);
  });

  test('of long data leaves others their turns, and data beyond 64 KiB as they are', async () => {
    const abi = [aFunction('put', [input('uint256[]')])];
    const { decode: decoder } = keep({ [A]: abi });
    const put = (count: number) =>
      call(
        'put(uint256[])',
        Array.from({ length: count }, () => 1n),
      );
    const turns = await turnsDuring(async () => {
      const answers = await decoder.decodeAll(Array.from({ length: 20 }, () => aCall(A, put(2000))));
      expect(answers.every((answer) => answer?.name === 'put')).toBe(true);
    });
    expect(turns).toBeGreaterThan(10);
    expect(await decoder.decodeAll([aCall(A, put(2047))])).toEqual([null]);
  });

  test('skips what is nested without end, and artifacts without end', async () => {
    const depth = 5000;
    const open = '{"type":"tuple","components":['.repeat(depth);
    const nested = `{"type":"function","name":"deep","inputs":[${open}${']}'.repeat(depth)}]}`;
    const erc20 = JSON.stringify(ERC20).slice(1);
    const mint = aCall(A, call('mint(uint256)', 1n));
    const deep = keepText(`{"abi":[${nested},${erc20}}`);
    expect(await deep.decodeAll([mint])).toMatchObject([{ source: 'contract' }]);
    const long = keepText(`{"name":"${'x'.repeat(600_000)}","abi":[${erc20}}`);
    expect(await long.decodeAll([mint])).toEqual([null]);
  });

  /** One contract, of which no signature is known. */
  function keepText(artifacts: string) {
    const compilationId = 1n;
    return createDecodeCalls({
      listOfAddresses: async () => [{ address: A, compilationId, bytes: artifacts.length }],
      readArtifacts: async () => [{ compilationId, artifacts }],
      listOfSelectors: async () => [],
      listOfTopics: async () => [],
    });
  }

  test.each([
    null,
    {},
    'abi',
    [null, 1, 'x', [], { type: 'function' }, { name: 1 }, { name: 'f', inputs: 'x' }],
  ])('with the ABI %j decodes nothing', async (abi) => {
    expect(await decode({ [A]: abi }, aCall(A, transfer))).toBeNull();
  });

  test('of a selector with several signatures decodes by it what one of a few alone explains', async () => {
    const selector = bareHex(transfer.subarray(0, 4));
    const answer = (signatures: readonly string[]) =>
      createDecodeCalls({
        listOfAddresses: async () => [],
        readArtifacts: async () => [],
        listOfTopics: async () => [],
        listOfSelectors: async (_, __, limit) =>
          signatures.slice(0, limit).map((signature) => ({ selector, signature })),
      }).decodeAll([aCall(C, transfer)]);
    const others = (count: number) => Array.from({ length: count }, (_, index) => `f${index}(bool)`);
    const one = 'transfer(address,uint256)';
    expect(await answer([one, ...others(31)])).toMatchObject([{ name: 'transfer' }]);
    expect(await answer([one, ...others(32)])).toEqual([null]);
    expect(await answer([one, ...others(5000)])).toEqual([null]);
    expect(await answer([one, 'other(uint256,uint256)'])).toEqual([null]);
  });
});
