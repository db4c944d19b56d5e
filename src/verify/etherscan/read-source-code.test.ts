import { describe, expect, test } from 'vitest';
import type { FormBody } from '../bodies/form-body.ts';
import { NO_FORM } from '../bodies/form-body.ts';
import { readEtherscanCall } from './etherscan-call.ts';
import { readSourceCode } from './read-source-code.ts';

const read = (fields: Readonly<Record<string, string>>) => {
  const form: FormBody = { ...NO_FORM, fields: new Map(Object.entries(fields)) };
  const submission = readSourceCode(readEtherscanCall({}, () => form, { pathChainId: '31337' }));
  if (submission.kind !== 'standard_json') throw new Error(submission.kind);
  return submission;
};

const SINGLE = {
  sourceCode: 'contract Tally {}',
  codeformat: 'solidity-single-file',
  contractname: 'Tally',
  compilerversion: 'v0.8.30+commit.73712a01',
};
const settingsOf = (fields: Readonly<Record<string, string>>) =>
  read({ ...SINGLE, ...fields }).input.settings;

/** @see contracts/verification-api.md section 7.4 */
describe('a single file as people fill the form', () => {
  test.each([
    ['', 200],
    ['0', 0],
    ['1', 1],
    ['444444444444', 444_444_444_444],
    ['10000000000000000000', '10000000000000000000'],
    [' 200 ', 200],
  ])('%s runs', (runs, expected) => {
    expect(settingsOf({ runs })).toMatchObject({ optimizer: { runs: expected } });
  });
  test.each(['many', '-1', '1.5', '1e3', '0x10', '123456789012345678901'])('%s runs are refused', (runs) => {
    expect(() => settingsOf({ runs })).toThrow('runs must be a whole number of up to 20 digits');
  });

  test.each([
    ['1', true],
    ['true', true],
    ['Yes', true],
    ['TRUE', true],
    ['0', false],
    ['false', false],
    ['No', false],
    ['', false],
  ])('flags of %s', (text, enabled) => {
    const { optimizer, viaIR = false } = settingsOf({ optimizationUsed: text, viaIR: text }) as {
      readonly optimizer: object;
      readonly viaIR?: boolean;
    };
    expect([optimizer, viaIR]).toEqual([{ enabled, runs: 200 }, enabled]);
  });
  test.each(['optimizationUsed', 'viaIR'])('another %s is refused by name', (name) => {
    expect(() => settingsOf({ [name]: '2' })).toThrow(`${name} must be 1, true or yes`);
  });

  test.each([
    ['', undefined],
    ['default', undefined],
    ['Default', undefined],
    ['compiler default', undefined],
    ['default (compiler defaults)', undefined],
    ['Shanghai', 'shanghai'],
    ['TANGERINEWHISTLE', 'tangerineWhistle'],
    ['spuriousdragon', 'spuriousDragon'],
    ['Later', 'later'],
  ])('the EVM version "%s"', (evmversion, expected) => {
    expect((settingsOf({ evmversion }) as { readonly evmVersion?: string }).evmVersion).toBe(expected);
  });

  test('library addresses with and without 0x, names with and without a file', () => {
    const digits = '5B'.repeat(20);
    const libraries = {
      libraryname1: 'Marks',
      libraryaddress1: digits,
      libraryname2: 'lib/Sums.sol:Sums',
      libraryaddress2: `0x${digits}`,
    };
    expect(settingsOf(libraries)).toMatchObject({
      libraries: { 'Tally.sol': { Marks: `0x${digits}`, Sums: `0x${digits}` } },
    });
    expect(() => settingsOf({ ...libraries, libraryaddress2: '0x12' })).toThrow('libraryaddress2 must be 40');
  });

  test.each([
    ['Vyper_contract', 'Vyper_contract.vy', 'Vyper_contract'],
    ['Pool: 3 coins', 'Pool_3_coins.vy', 'Pool_3_coins'],
    ['src/Pool.vy:Pool', 'src/Pool.vy', 'Pool'],
    ['src/Pool.vy:Vyper_contract', 'src/Pool.vy', 'Pool'],
  ])('a file of Vyper with the name %s', (contractname, path, name) => {
    const { input, target } = read({
      ...SINGLE,
      contractname,
      codeformat: '',
      compilerversion: 'vyper:0.4.0',
    });
    expect([Object.keys(input.sources), target, input.language]).toEqual([[path], { path, name }, 'Vyper']);
  });
});

const inputOf = (language: string, sources: Readonly<Record<string, string>>, outputSelection?: object) =>
  JSON.stringify({
    language,
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    settings: outputSelection === undefined ? {} : { outputSelection },
  });
const targetOf = (sourceCode: string, contractname: string) =>
  read({ ...SINGLE, codeformat: 'solidity-standard-json-input', sourceCode, contractname }).target;

describe('a name that fits several contracts of the input', () => {
  const twice = { 'a.sol': 'contract Tally {}', 'b.sol': 'contract Tally {}' };
  test.each([
    { 'b.sol': { Tally: ['abi'] } },
    { '*': { '*': ['abi'] }, 'b.sol': { '*': ['abi'] } },
    { 'b.sol': { Tally: ['abi'] }, 'a.sol': { Other: ['abi'] } },
  ])('is the one that the output selection names: %j', (selection) => {
    expect(targetOf(inputOf('Solidity', twice, selection), 'Tally')).toEqual({
      path: 'b.sol',
      name: 'Tally',
    });
  });
  test.each([
    undefined,
    { '*': { '*': ['abi'] } },
    { 'a.sol': { Tally: ['abi'] }, 'b.sol': { Tally: ['abi'] } },
  ])('is refused by name otherwise: %j', (selection) => {
    expect(() => targetOf(inputOf('Solidity', twice, selection), 'Tally')).toThrow(
      'Several files define Tally: a.sol, b.sol',
    );
  });
});

describe('names of Vyper input', () => {
  const one = { 'src/Pool.vy': '' };
  const many = { 'src/Pool.vy': '', 'src/Coin.vy': '' };
  test.each([
    ['Vyper_contract', one, undefined],
    ['Pool: 3 coins', one, undefined],
    ['other/Pool2.vy:Pool2', one, undefined],
    ['Vyper_contract', { ...one, 'IPool.vyi': '' }, undefined],
    ['Vyper_contract', many, { 'src/Pool.vy': ['evm'] }],
    ['src/Pool.vy', many, undefined],
    ['Pool', many, undefined],
    ['src/Pool.vy:Vyper_contract', many, undefined],
  ])('%s of %j with the selection %j', (name, sources, selection) => {
    expect(targetOf(inputOf('Vyper', sources, selection), name)).toEqual({
      path: 'src/Pool.vy',
      name: 'Pool',
    });
  });
  test('one that could be any is refused with the files of the input', () => {
    expect(() => targetOf(inputOf('Vyper', many), 'Vyper_contract')).toThrow(
      "Couldn't find contract Vyper_contract in the provided Vyper JSON Input file. Name one of its files: src/Pool.vy, src/Coin.vy",
    );
  });
});
