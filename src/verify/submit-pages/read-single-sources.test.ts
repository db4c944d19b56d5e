import { describe, expect, test } from 'vitest';
import type { FormBody } from '../bodies/form-body.ts';
import { readSingleSources } from './read-single-sources.ts';

const ADDRESS = `0x${'1'.repeat(40)}`;

function readLibraries(libraries: string) {
  const form: FormBody = {
    fields: new Map([
      ['source0', 'contract A {}'],
      ['libraries', libraries],
    ]),
    files: [],
  };
  const { input, faults } = readSingleSources(form);
  return { libraries: (input['settings'] as Record<string, unknown>)['libraries'], faults };
}

describe('libraries of a form', () => {
  test.each([`a.sol:L=${ADDRESS}`, `a.sol:L = ${ADDRESS}`, `a.sol:L ${ADDRESS}`, ` a.sol : L:\t${ADDRESS} `])(
    '%j',
    (line) => {
      expect(readLibraries(line)).toEqual({ libraries: { 'a.sol': { L: ADDRESS } }, faults: [] });
    },
  );

  test.each([`a.sol:L${ADDRESS}`, `L=${ADDRESS}`, ADDRESS, `a.sol:L=${ADDRESS}1`])(
    '%j is refused',
    (line) => {
      expect(readLibraries(line).faults).toMatchObject([{ field: 'libraries' }]);
    },
  );

  test('a line of spaces takes no more time than it is long', () => {
    expect(readLibraries(`a${' '.repeat(200_000)}x`).faults).toMatchObject([{ field: 'libraries' }]);
  });
});
