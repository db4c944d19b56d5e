import { describe, expect, test } from 'vitest';
import { isSameVersion, readPrintedVersion } from '../compiler-version.ts';

describe('readPrintedVersion', () => {
  test.each([
    ['solc', 'Version: 0.8.30+commit.73712a01.Linux.g++\n', '0.8.30+commit.73712a01'],
    ['solc', '0.1.3-4457170b/.-Emscripten/clang', '0.1.3+commit.028f561d'],
    ['vyper', '0.4.1b1+commit.039d3692\n', '0.4.1b1+commit.039d3692'],
    ['fe', 'fe 26.0.0-alpha.12\n', '26.0.0-alpha.12'],
    ['fe', ' usage: … ', 'usage: …'],
  ] as const)('%s printing %j is %s', (language, printed, version) => {
    expect(readPrintedVersion(language, printed)).toBe(version);
  });
});

describe('isSameVersion', () => {
  test.each([
    ['0.8.30+commit.73712a01', '0.8.30', true],
    ['0.8.30+commit.73712a01', '0.8.30+commit.73712a01', true],
    ['0.4.3+commit.bff19ea', '0.4.3+commit.bff19ea2', true],
    ['0.4.3', '0.4.3+commit.bff19ea2', true],
    ['0.4.3+commit.bff', '0.4.3+commit.bff19ea2', false],
    ['0.4.3+commit.00000000', '0.4.3+commit.bff19ea2', false],
    ['0.4.2', '0.4.3', false],
    ['26.0.0-alpha.12', '26.0.0', false],
  ])('%s may stand for %s: %s', (reported, version, expected) => {
    expect(isSameVersion(reported, version)).toBe(expected);
  });
});
