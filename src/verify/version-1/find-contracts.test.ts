import { describe, expect, test } from 'vitest';
import { findContractPaths } from '../forms/find-contract-path.ts';
import { findContracts } from './read-requests.ts';

const metadata = (name: string) => ({
  compiler: { version: '0.8.30' },
  settings: { compilationTarget: { 'a.sol': name } },
  sources: { 'a.sol': {} },
});
const file = (path: string, value: unknown) => ({
  path,
  text: typeof value === 'string' ? value : JSON.stringify(value),
});

describe('findContracts', () => {
  test('tells metadata from sources by their content, not by their name', () => {
    const files = [
      file('x.sol', metadata('A')),
      file('metadata.json', 'contract A {}'),
      file('b', '{ not json'),
    ];
    expect(findContracts(files)).toEqual({
      metadata: [metadata('A')],
      sources: { 'metadata.json': 'contract A {}', b: '{ not json' },
    });
  });

  test('takes apart what Hardhat keeps of a compilation', () => {
    const build = {
      input: { sources: { 'a.sol': { content: 'contract A {}' }, 'b.sol': { urls: [] } } },
      output: {
        contracts: { 'a.sol': { A: { metadata: JSON.stringify(metadata('A')) }, B: { metadata: '' } } },
      },
    };
    expect(findContracts([file('build.json', build)])).toEqual({
      metadata: [metadata('A')],
      sources: { 'a.sol': 'contract A {}' },
    });
  });
});

describe('findContractPaths', () => {
  const sources = {
    'a.sol': 'import "./b.sol"; /* contract Both */ contract Only is Both {}',
    'b.sol': 'string constant s = "// not a comment"; abstract contract Both {} // library Only',
    'c.sol': 'library Both { } interface Shown {}',
    'd.yul': 'object "Plain" { code {} }',
    'lib/Coin.vy': '',
    'e.sol': 'contract Bothered {} contract $Odd {}',
  };
  test.each([
    ['Only', ['a.sol']],
    ['Both', ['b.sol', 'c.sol']],
    ['Plain', ['d.yul']],
    ['Coin', ['lib/Coin.vy']],
    ['$Odd', ['e.sol']],
    ['Shown', []],
    ['.*', []],
    ['', []],
  ])('%s', (name, paths) => {
    expect(findContractPaths(sources, name)).toEqual(paths);
  });

  test('reads texts that nobody closes once, not from each of their marks', () => {
    const hostile = `contract A {} ${'\\"'.repeat(1_000_000)}`;
    const start = process.cpuUsage().user;
    expect(findContractPaths({ 'a.sol': hostile, 'b.sol': `${hostile}\ncontract B {}` }, 'B')).toEqual([
      'b.sol',
    ]);
    // From each of their marks it would be hours; a hundredth of the marks took seconds.
    expect(process.cpuUsage().user - start).toBeLessThan(5_000_000);
  });

  test('beside a string of many megabytes', () => {
    const content = `contract A {}\n"${'x'.repeat(20_000_000)}"`;
    expect(findContractPaths({ 'a.sol': content }, 'A')).toEqual(['a.sol']);
  });
});
