import { describe, expect, test } from 'vitest';
import {
  isBuildOf,
  isShortVersion,
  isVersionText,
  judgeFeVersion,
  normaliseVersion,
  readReportedVersion,
  vyperSemver,
} from './compiler-version.ts';

describe('readReportedVersion', () => {
  test.each([
    ['0.8.30+commit.73712a01.Emscripten.clang', '0.8.30+commit.73712a01'],
    ['0.8.31-nightly.2025.8.11+commit.635fe8f8.Emscripten.clang', '0.8.31-nightly.2025.8.11+commit.635fe8f8'],
    ['0.3.6-3fc68da5/Release-Emscripten/clang', '0.3.6+commit.3fc68da5'],
    ['0.1.3-4457170b/.-Emscripten/clang/int linked to libethereum-', '0.1.3+commit.028f561d'],
    ['something else', null],
  ])('%s is %s', (reported, version) => {
    expect(readReportedVersion(reported)).toBe(version);
  });
});

describe('isVersionText', () => {
  test.each([
    ['v0.8.30', true],
    [' 0.8.30+commit.73712A01.Linux.g++\n', true],
    ['0.8.30-garbage', true],
    ['V0.8.30', false],
    ['vv0.8.30', false],
    ['0.8', false],
    ['0.8.30\n0.8.31', false],
  ])('%j: %s', (text, isOne) => {
    expect(isVersionText(text)).toBe(isOne);
  });
});

describe('normaliseVersion', () => {
  test.each([
    ['v0.8.30', '0.8.30'],
    ['0.8.1-ci.2021.1.1+commit.00000000', '0.8.1-nightly.2021.1.1+commit.00000000'],
    ['0.4.1b1+commit.039d3692', '0.4.1b1+commit.039d3692'],
    ['0.8.30+commit.73712a01.Emscripten.clang', '0.8.30+commit.73712a01'],
    ['v0.8.30+commit.73712A01.Linux.g++', '0.8.30+commit.73712a01'],
    [
      '0.8.31-nightly.2025.8.11+commit.635FE8F8.Darwin.appleclang',
      '0.8.31-nightly.2025.8.11+commit.635fe8f8',
    ],
    ['0.8.1-ci.2021.1.1+commit.0000000A.Windows.msvc', '0.8.1-nightly.2021.1.1+commit.0000000a'],
    [' \t0.8.30+commit.73712a01\r\n', '0.8.30+commit.73712a01'],
    ['Version: 0.8.30+commit.73712a01 (Linux)\n', '0.8.30+commit.73712a01'],
    ['0.3.10+commit.91361694', '0.3.10+commit.91361694'],
    ['0.3.6-3FC68DA5/Release-Emscripten/clang', '0.3.6+commit.3fc68da5'],
    ['0.1.7-b4e666cc/.-Emscripten/clang/int linked to libethereum-1.1.0-c61302f2/.', '0.1.7+commit.b4e666cc'],
    ['0.1.7-1', '0.1.7'],
    ['0.2.2-2', '0.2.2'],
    ['0.8.23-fixed', '0.8.23'],
    ['26.0.0-alpha.12', '26.0.0-alpha.12'],
    ['0.8.30+commit.73712a01x', '0.8.30+commit.73712a01x'],
    ['0.8.30+commit.73712a01/../../x', '0.8.30+commit.73712a01/../../x'],
  ])('%j is kept as %s', (given, kept) => {
    expect(normaliseVersion(given)).toBe(kept);
  });
});

describe('isBuildOf', () => {
  test.each([
    ['0.8.30+commit.73712a01', '0.8.30', true],
    ['0.8.30+commit.73712a01', '0.8.30+commit.73712a01', true],
    ['0.8.30+commit.73712a01', '0.8.30+commit.00000000', false],
    ['0.8.30+commit.73712a01', '0.8.30+commit.73712a0', true],
    ['0.8.30+commit.73712a01', '0.8.30+commit.73712a01f3cd9f6a2a4ba4e4d6f1f9b6d2cbe8a0', true],
    ['0.8.30+commit.73712a01', '0.8.30+commit.7371', false],
    ['0.8.30', '0.8.30+commit.73712a01', false],
    ['0.8.30+commit.73712a01', '0.8.30+commit.73712a01/../..', false],
    ['0.8.30-nightly.2025.5.7+commit.11111111', '0.8.30', false],
    ['0.4.1b1+commit.039d3692', '0.4.1b1', true],
    ['0.4.1b1+commit.039d3692', '0.4.1', false],
    ['26.0.0-alpha.12', '26.0.0-alpha.12', true],
    ['26.0.0-alpha.12', '26.0.0', false],
  ])('%s as a build of %s: %s', (version, wanted, expected) => {
    expect(isBuildOf(version, wanted)).toBe(expected);
  });

  test('is not asked about versions with a commit as short ones', () => {
    expect(isShortVersion('0.8.30')).toBe(true);
    expect(isShortVersion('0.8.30+commit.73712a01')).toBe(false);
  });
});

describe('vyperSemver', () => {
  test.each([
    ['0.3.10+commit.91361694', '0.3.10+commit.91361694'],
    ['0.4.1b1+commit.039d3692', '0.4.1+commit.039d3692'],
    ['0.4.1rc12+commit.039d3692', '0.4.1+commit.039d3692'],
    ['0.4.1-beta.1', '0.4.1-beta.1'],
    ['0.4', null],
    ['0.4.1x1', null],
    ['latest', null],
    ['0.4.1/../../etc', null],
  ])('%s is ordered as %s', (version, semver) => {
    expect(vyperSemver(version)).toBe(semver);
  });
});

describe('judgeFeVersion', () => {
  test.each([
    ['26.0.0-alpha.12', 'supported'],
    ['26.0.0-alpha.13', 'supported'],
    ['26.0.0-beta.1', 'supported'],
    ['26.0.0', 'supported'],
    ['26.2.0+build.1', 'supported'],
    ['26.0.0-alpha.9', 'unsupported'],
    ['26.0.0-alpha', 'unsupported'],
    ['26.0.0-1', 'unsupported'],
    ['0.26.0', 'unsupported'],
    ['26', 'invalid'],
    ['26.0.0-', 'invalid'],
  ])('%s is %s', (version, verdict) => {
    expect(judgeFeVersion(version)).toBe(verdict);
  });
});
