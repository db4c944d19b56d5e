import { describe, expect, test } from 'vitest';
import type { StandardJson } from '../../standard-json.ts';
import { withoutOutputSettings } from './output-settings.ts';
import { selectOutput } from './solidity-compiler.ts';

const anInput = (settings: object, language: StandardJson['language'] = 'Solidity') =>
  ({ language, sources: { a: { content: '' } }, settings }) as StandardJson;

describe('withoutOutputSettings', () => {
  test.each([
    ['a model checker', { modelChecker: { engine: 'chc' } }, {}, ['settings.modelChecker']],
    ['one that is no object', { modelChecker: null }, {}, ['settings.modelChecker']],
    ['an early stop', { viaIR: true, stopAfter: 'parsing' }, { viaIR: true }, ['settings.stopAfter']],
    [
      'ethdebug among others',
      { debug: { revertStrings: 'strip', debugInfo: ['location', 'ethdebug'] } },
      { debug: { revertStrings: 'strip', debugInfo: ['location'] } },
      ['ethdebug of settings.debug.debugInfo'],
    ],
    [
      'ethdebug alone, with its list',
      { debug: { revertStrings: 'strip', debugInfo: ['ethdebug'] } },
      { debug: { revertStrings: 'strip' } },
      ['ethdebug of settings.debug.debugInfo'],
    ],
  ])('leaves out %s', (_, settings, kept, leftOut) => {
    for (const language of ['Solidity', 'Yul'] as const) {
      expect(withoutOutputSettings(anInput(settings, language))).toEqual({
        input: anInput(kept, language),
        leftOut,
      });
    }
  });

  test('leaves out the model checker where 0.7.4 and 0.7.5 have it', () => {
    const input = { ...anInput({}), modelCheckerSettings: { engine: 'chc' } };
    expect(withoutOutputSettings(input)).toEqual({ input: anInput({}), leftOut: ['modelCheckerSettings'] });
  });

  test.each([
    ['what shapes code', anInput({ viaIR: true, debug: { revertStrings: 'strip', debugInfo: [] } })],
    ['what solc refuses itself', anInput({ debug: { debugInfo: 'ethdebug' } })],
    ['an input without settings', { language: 'Solidity', sources: {} } as StandardJson],
    ['the settings of another compiler', anInput({ stopAfter: 'parsing' }, 'Vyper')],
  ])('keeps %s', (_, input) => {
    expect(withoutOutputSettings(input)).toEqual({ input, leftOut: [] });
  });
});

test('a contract in a path with a colon is selected whole and as solc 0.4.19 cuts it', () => {
  const selected = selectOutput(anInput({}), { path: 'project:/a.sol', name: 'A' }, 'target');
  const names = expect.arrayContaining(['abi']);
  expect(selected.settings?.['outputSelection']).toEqual({
    'project:/a.sol': { A: names },
    project: { '/a.sol:A': names },
  });
});
