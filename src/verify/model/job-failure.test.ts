import { describe, expect, test } from 'vitest';
import { type CodeRegion, describeDifference, hintAtSetting } from '../match/describe-difference.ts';
import { failure, failureMessage } from './job-failure.ts';

const subject = { chainId: '1', address: '0x' };
const compiler = { language: 'Solidity', version: '0.8.30+commit.73712a01' } as const;
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('the message of a failure, which clients print alone', () => {
  test('begins with the first error of the compiler (issue 13)', () => {
    const errors = [
      {
        severity: 'error',
        message: 'Expected ;',
        formattedMessage: 'ParserError: Expected ;\n --> a.sol:1:2:\n',
      },
      { severity: 'error', message: 'other' },
    ];
    expect(failureMessage(failure('compiler_error', { compilerErrors: errors }), subject)).toBe(
      'Compiler error. ParserError: Expected ;\n --> a.sol:1:2: (and 1 more)',
    );
    const [, plain] = errors;
    expect(failureMessage(failure('compiler_error', { compilerErrors: [plain] }), subject)).toBe(
      'Compiler error. other',
    );
    const missing = failure('compiler_error', { compilerErrorMessage: 'No compiler' });
    expect(failureMessage(missing, subject)).toBe('Compiler error. No compiler');
  });

  test('names the first difference and a setting (issue 13)', () => {
    const diff = { offset: 7, region: 'code', recompiledLength: 10, onchainLength: 12 };
    const mismatch = failure('no_match', { diff, hint: 'Look at the sources.' });
    expect(failureMessage(mismatch, subject)).toBe(
      "The deployed and recompiled bytecode don't match. They differ first at byte 7 (code); recompiled 10 bytes, on chain 12. Look at the sources.",
    );
    const longer = failure('bytecode_length_mismatch', { diff: { ...diff, region: 'length' }, hint: 'H.' });
    expect(failureMessage(longer, subject)).toContain('at byte 7, where one of them ends; recompiled');
    expect(failureMessage(failure('no_match'), subject)).toMatch(/don't match\.$/);
  });
});

describe('the hint', () => {
  const release = (minor: string) => `a164736f6c634300${minor}000a`;
  const hint = (recompiled: string, onchain: string, region?: CodeRegion) => {
    const sides = { recompiled: bytes(recompiled), onchain: bytes(onchain) };
    const none = { linkReferences: {}, immutableReferences: {}, auxdata: {}, hasCallProtection: false };
    const found = describeDifference({ ...sides, ...none });
    if (found === null) throw new Error('no difference');
    return hintAtSetting({ compiler, ...sides, difference: region ? { ...found, region } : found });
  };

  test.each([
    ['another compiler', `6001fe${release('081e')}`, `6002fe${release('0814')}`, 'solc 0.8.20'],
    ['other metadata', `600160fe${release('081e')}`, '600161', 'settings.metadata'],
    ['another version of the EVM', '5f5f00fe01', '60006000fe01', 'only the recompiled code uses PUSH0'],
    ['a newer version of the EVM', '600000fe5f', '5f5e00fe01', 'only the code on chain uses PUSH0'],
    ['code of another length', '600100', '60010000', 'settings.optimizer'],
    ['code of the same length', '600100', '600200', 'the sources'],
  ])('for %s', (_, recompiled, onchain, expected) => {
    expect(hint(recompiled, onchain)).toContain(expected);
  });

  test('for two values of one library or immutable', () => {
    expect(hint('600100', '600200', 'library')).toContain('two addresses of one library');
    expect(hint('600100', '600200', 'immutable')).toContain('two values of one immutable');
  });
});
