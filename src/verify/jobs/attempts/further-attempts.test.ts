import { describe, expect, test } from 'vitest';
import { aCompilation } from '../../../../test/kit/verify/a-verification.ts';
import type { Compilation } from '../../compile/compiler.ts';
import type { Language } from '../../match/compiled-code.ts';
import { furtherAttempts } from './attempt-standard-json.ts';

function compiledBy(language: Language, version: string, change: Partial<Compilation> = {}): Compilation {
  return { ...aCompilation({}), compiler: { language, version }, ...change };
}

const withSettings = (settings: object) => {
  const { input } = aCompilation({});
  return { input: { ...input, settings: { ...settings } } };
};
const NINETEEN = Array.from({ length: 19 }, () => ({ scope: 'target' }));
const VIA_IR = withSettings({ viaIR: true });

describe('furtherAttempts', () => {
  test.each([
    ['Solidity with every output', compiledBy('Solidity', '0.8.30'), [{ scope: 'all' }]],
    ['Yul likewise', compiledBy('Yul', '0.8.30'), [{ scope: 'all' }]],
    ['Vyper 0.3.7 until it ran 20 times', compiledBy('Vyper', '0.3.7+commit.6020b8bb'), NINETEEN],
    ['Vyper 0.3.4 likewise', compiledBy('Vyper', '0.3.4'), NINETEEN],
    ['Vyper 0.3.3 not at all', compiledBy('Vyper', '0.3.3'), []],
    ['Vyper 0.3.8 not at all', compiledBy('Vyper', '0.3.8'), []],
    ['Fe not at all', compiledBy('Fe', '26.0.0'), []],
    [
      'unoptimised IR with the other build',
      compiledBy('Solidity', '0.8.20', VIA_IR),
      [{ scope: 'all' }, { scope: 'all', compilerKind: 'native' }],
    ],
    [
      'unoptimised IR of a native build with the one for WebAssembly',
      compiledBy('Solidity', '0.8.20', { ...VIA_IR, compilerKind: 'native' }),
      [{ scope: 'all' }, { scope: 'all', compilerKind: 'wasm' }],
    ],
    ['IR with a fixed order as usual', compiledBy('Solidity', '0.8.21', VIA_IR), [{ scope: 'all' }]],
    [
      'optimised IR as usual',
      compiledBy('Solidity', '0.8.20', withSettings({ viaIR: true, optimizer: { enabled: true } })),
      [{ scope: 'all' }],
    ],
  ])('repeats %s', (_, compilation, attempts) => {
    expect(furtherAttempts(compilation, 'no_match')).toEqual(attempts);
  });

  test('repeats nothing for a failure that no compiler bug causes', () => {
    expect(furtherAttempts(compiledBy('Solidity', '0.8.30'), 'compiled_bytecode_is_zero')).toEqual([]);
  });
});
