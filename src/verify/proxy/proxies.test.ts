import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, test } from 'vitest';
import { compileForTest, openZeppelinSources } from '../../../test/kit/verify/compile-for-test.ts';
import { bareHex, type Hex, parseHex } from '../../values/hex.ts';
import type { ContractStateSource } from '../chain/rpc-state.ts';
import { findProxyCandidates, readInstructions, SLOTS } from './proxy-candidates.ts';
import { detectProxy } from './proxy-resolver.ts';

const SELF = `0x${'5e'.repeat(20)}` as Hex;
const TARGET = `0x${'7a'.repeat(20)}` as Hex;
const BEACON = `0x${'be'.repeat(20)}` as Hex;
const signal = new AbortController().signal;

const bytes = (hex: string) => parseHex(hex) ?? new Uint8Array();
const word = (address: string) => address.slice(2).padStart(64, '0');
const push32 = (constant: string) => `7f${constant}`;
/** GAS DELEGATECALL without an address beside them. */
const DELEGATE = '5af4';

/** A state that holds some slots (bare hex) and answers some calls (`address selector`). */
function aState(slots: Record<string, string> = {}, calls: Record<string, string> = {}): ContractStateSource {
  return {
    storageAt: async (_address, slot) => bytes(slots[slot.slice(2)] ?? '0'.repeat(64)),
    call: async (address, data) => {
      const answer = calls[`${address} ${data}`];
      return answer === undefined ? null : bytes(answer);
    },
  };
}

const detect = (runtime: string, state = aState(), creation: string | null = null) =>
  detectProxy(
    { address: SELF, runtime: bytes(runtime), creation: creation === null ? null : bytes(creation) },
    state,
    signal,
  );
const NO_PROXY = { kind: null, implementations: [] };

describe('readInstructions', () => {
  test('skips what is pushed and knows where code cannot continue', () => {
    const read = [...readInstructions(bytes('61f4f500f05bf4'))];
    expect(read.map(({ opcode, isReachable }) => [opcode, isReachable])).toEqual([
      [0x61, true],
      [0x00, true],
      [0xf0, false],
      [0x5b, true],
      [0xf4, true],
    ]);
    expect([...(read[0]?.data ?? [])]).toEqual([0xf4, 0xf5]);
  });

  test('ends with a push that the code cuts off', () => {
    expect([...readInstructions(bytes('7f0102'))].map(({ data }) => data.length)).toEqual([2]);
  });
});

describe('detectProxy', () => {
  const clone = `363d3d373d3d3d363d73${TARGET.slice(2)}5af43d82803e903d91602b57fd5bf3`;

  test('reads the address of a clone from its code, without the chain', async () => {
    const found = { kind: 'EIP1167Proxy', implementations: [TARGET] };
    expect(await detect(clone)).toEqual(found);
    expect(await detect(clone, aState(), `3d602d80600a3d3981f3${clone}`)).toEqual(found);
  });

  test('takes no other contract for a clone that ends in the code of one, nor in an argument like it', async () => {
    expect(await detect(`600035ff${clone}`)).toEqual(NO_PROXY);
    expect(await detect(`00fe${'00'.repeat(30)}`, aState(), `600a600c${'00'.repeat(19)}${clone}`)).toEqual(
      NO_PROXY,
    );
  });

  test('believes a fixed address beside a DELEGATECALL, such as that of a clone with arguments', async () => {
    const found = { kind: 'FixedProxy', implementations: [TARGET] };
    expect(await detect(`${clone}0102030405`)).toEqual(found);
    expect(
      await detect(`5f5f365f5f37365f73${TARGET.slice(2)}${DELEGATE}5f3d5f5f3e5f3d91602a57fd5bf3`),
    ).toEqual(found);
    const short = `${'00'.repeat(4)}${'7a'.repeat(16)}`;
    expect(await detect(`6f${'7a'.repeat(16)}${DELEGATE}`)).toEqual({
      kind: 'FixedProxy',
      implementations: [`0x${short}`],
    });
  });

  test.each([
    ['EIP1967Proxy', push32(SLOTS.implementation) + DELEGATE, SLOTS.implementation],
    ['ZeppelinOSProxy', push32(SLOTS.zeppelinOs) + DELEGATE, SLOTS.zeppelinOs],
    ['PROXIABLEProxy', push32(SLOTS.proxiable) + DELEGATE, SLOTS.proxiable],
    ['GnosisSafeProxy', push32('a619486e'.padEnd(64, '0')) + DELEGATE, '0'.repeat(64)],
    ['SequenceWalletProxy', '363d3d373d3d3d363d30545af43d82803e903d91601857fd5bf3', word(SELF)],
  ])('%s has its implementation in a slot', async (kind, code, slot) => {
    expect(await detect(code, aState({ [slot]: word(TARGET) }))).toEqual({ kind, implementations: [TARGET] });
    expect(await detect(code, aState())).toEqual(NO_PROXY);
    expect(await detect(code, aState({ [slot]: 'ff'.repeat(32) }))).toEqual(NO_PROXY);
  });

  test.each([
    ['EIP1967Proxy', SLOTS.implementation, 'eip1967.proxy.implementation'],
    ['ZeppelinOSProxy', SLOTS.zeppelinOs, 'org.zeppelinos.proxy.implementation'],
    ['PROXIABLEProxy', SLOTS.proxiable, 'PROXIABLE'],
  ])('%s is found when its slot is computed or lies behind the code', async (kind, slot, preimage) => {
    const state = aState({ [slot]: word(TARGET) });
    const found = { kind, implementations: [TARGET] };
    const text = Buffer.from(preimage);
    const hash = bareHex(keccak_256(text));
    expect(await detect(`${DELEGATE}00fe${slot}`, state)).toEqual(found);
    expect(await detect(`${push32(hash)}600103${DELEGATE}`, state)).toEqual(found);
    const first = text.subarray(0, 32).toString('hex');
    expect(await detect(`${push32(first.padEnd(64, '0'))}60005220${DELEGATE}`, state)).toEqual(found);
    expect(await detect(`${DELEGATE}00fe${text.toString('hex')}`, state)).toEqual(found);
    expect(await detect(`${DELEGATE}00fe${slot}`)).toEqual(NO_PROXY);
    expect(await detect(`00fe${slot}`, state)).toEqual(NO_PROXY);
  });

  test('a DELEGATECALL in pushed data or missing makes no proxy of a contract that knows a slot', async () => {
    const state = aState({ [SLOTS.implementation]: word(TARGET) });
    expect(await detect(push32(SLOTS.implementation), state)).toEqual(NO_PROXY);
    expect(await detect(`${push32(SLOTS.implementation)}61f4f4`, state)).toEqual(NO_PROXY);
  });

  test('the first kind whose slot holds an address wins', async () => {
    const code = push32(SLOTS.implementation) + push32(SLOTS.zeppelinOs) + DELEGATE;
    expect(await detect(code, aState({ [SLOTS.zeppelinOs]: word(TARGET) }))).toMatchObject({
      kind: 'ZeppelinOSProxy',
    });
  });

  test('a contract that creates contracts holds the code of proxies and is none', async () => {
    const state = aState({ [SLOTS.implementation]: word(TARGET) });
    for (const create of ['f0', 'f5']) {
      expect(await detect(`${create}${push32(SLOTS.implementation)}${DELEGATE}`, state)).toEqual(NO_PROXY);
    }
    // Behind INVALID lies data, which may look like anything.
    expect(await detect(`${push32(SLOTS.implementation)}${DELEGATE}fef0`, state)).toMatchObject({
      kind: 'EIP1967Proxy',
    });
  });

  describe('DiamondProxy', () => {
    const facets = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`];
    const list = (count: number, entries: readonly string[]) =>
      `${'20'.padStart(64, '0')}${count.toString(16).padStart(64, '0')}${entries.map(word).join('')}`;
    const code = `6352ef6b2c${DELEGATE}`;
    const answering = (answer: string) => aState({}, { [`${SELF} 0x52ef6b2c`]: answer });

    test('has all its facets', async () => {
      expect(await detect(code, answering(list(2, facets)))).toEqual({
        kind: 'DiamondProxy',
        implementations: facets,
      });
    });

    test.each([
      ['an answer that is no list', 'ff'.repeat(32)],
      ['an empty list', list(0, [])],
      ['a list of another length', list(3, facets)],
      ['a list of 2^255 entries', `${'20'.padStart(64, '0')}${'8'.padEnd(64, '0')}`],
      ['no answer', ''],
    ])('is none with %s', async (_, answer) => {
      expect(await detect(code, answering(answer))).toEqual(NO_PROXY);
    });

    test('is none when the call reverts', async () => {
      expect(await detect(code, aState())).toEqual(NO_PROXY);
    });
  });

  describe('proxies of a well-known library', () => {
    const compile = (file: string, name: string) => {
      const path = `@openzeppelin/contracts/proxy/${file}.sol`;
      return compileForTest({ language: 'Solidity', sources: openZeppelinSources(path) }, path, name);
    };
    const direct = aState({ [SLOTS.implementation]: word(TARGET) });

    test('a transparent proxy is found although its constructor creates the admin', async () => {
      const { bytecode, runtime } = compile(
        'transparent/TransparentUpgradeableProxy',
        'TransparentUpgradeableProxy',
      );
      expect(await detect(runtime, direct, bytecode)).toEqual({
        kind: 'EIP1967Proxy',
        implementations: [TARGET],
      });
    });

    test('a beacon proxy knows its slot in the constructor only, and the beacon knows the implementation', async () => {
      const { bytecode, runtime } = compile('beacon/BeaconProxy', 'BeaconProxy');
      const beacon = aState({ [SLOTS.beacon]: word(BEACON) }, { [`${BEACON} 0x5c60da1b`]: word(TARGET) });
      expect(await detect(runtime, beacon, bytecode)).toEqual({
        kind: 'EIP1967Proxy',
        implementations: [TARGET],
      });
    });

    test.each([
      ['pushes', { enabled: true, runs: 200 }, 'bytes32 s = SLOT;'],
      ['computes without an optimiser', { enabled: false, runs: 200 }, 'bytes32 s = SLOT;'],
      ['copies from a data section', { enabled: true, runs: 1 }, 'bytes32 s = SLOT;'],
      [
        'computes from its name',
        { enabled: false, runs: 200 },
        'string memory n = "eip1967.proxy.implementation"; bytes32 s = bytes32(uint256(keccak256(bytes(n))) - 1);',
      ],
    ])('a proxy that %s its slot is found', async (_, optimizer, find) => {
      const content = `contract P {
        bytes32 private constant SLOT = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
        constructor(address a) { ${find} assembly { sstore(s, a) } }
        fallback() external payable {
          ${find}
          assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(s), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if ok { return(0, returndatasize()) }
            revert(0, returndatasize())
          }
        }
      }`;
      const input = { language: 'Solidity', sources: { 'p.sol': { content } }, settings: { optimizer } };
      const { bytecode, runtime } = compileForTest(input, 'p.sol', 'P');
      const found = { kind: 'EIP1967Proxy', implementations: [TARGET] };
      expect(await detect(runtime, direct, bytecode)).toEqual(found);
      expect(await detect(runtime, direct)).toEqual(found);
    });

    test('the implementation behind an upgradeable proxy is none itself', async () => {
      const path = 'box.sol';
      const uups = '@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol';
      const content = `import "${uups}";\ncontract Box is UUPSUpgradeable { function _authorizeUpgrade(address) internal override {} }`;
      const sources = { ...openZeppelinSources(uups), [path]: { content } };
      const { bytecode, runtime } = compileForTest({ language: 'Solidity', sources }, path, 'Box');
      expect(findProxyCandidates(bytes(runtime), bytes(bytecode)).stateful).toEqual(['EIP1967Proxy']);
      expect(await detect(runtime, aState(), bytecode)).toEqual(NO_PROXY);
    });

    test('a factory of clones is none', async () => {
      const path = 'factory.sol';
      const clones = '@openzeppelin/contracts/proxy/Clones.sol';
      const content = `import "${clones}";\ncontract F { function make(address a) external returns (address) { return Clones.clone(a); } }`;
      const sources = { ...openZeppelinSources(clones), [path]: { content } };
      const { bytecode, runtime } = compileForTest({ language: 'Solidity', sources }, path, 'F');
      expect(await detect(runtime, aState(), bytecode)).toEqual(NO_PROXY);
    });
  });
});
