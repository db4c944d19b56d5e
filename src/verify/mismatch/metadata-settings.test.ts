import { expect, test } from 'vitest';
import { settingsOfBoth, settingsOfMetadata } from './metadata-settings.ts';

const metadataWith = (settings: object, sources: object = { 'a.sol': {} }) =>
  JSON.stringify({
    compiler: { version: '0.8.30+commit.73712a01' },
    settings: { evmVersion: 'paris', optimizer: { enabled: true }, ...settings },
    sources,
  });
const differences = (one: string, other: string) =>
  settingsOfBoth(settingsOfMetadata(one) ?? [], settingsOfMetadata(other) ?? [])
    .filter(({ original, submitted }) => original !== submitted)
    .map(({ name }) => name);
const MANY = Array.from({ length: 100 }, (_, index) => `@library-${index}/=lib/${index}/`);

test.each<[string, object, object]>([
  ['Remappings', { remappings: MANY }, { remappings: [...MANY.slice(0, -1), '@library-99/=lib/other/'] }],
  ['Libraries', { libraries: { 'L.sol:L': '0x01' } }, { libraries: { 'L.sol:L': '0x02' } }],
  ['Optimizer details', { optimizer: { enabled: true, details: { yul: true } } }, {}],
  ['Runs', { optimizer: { enabled: true, runs: 1 } }, {}],
  ['Revert strings', { debug: { revertStrings: 'strip' } }, {}],
  ['Metadata hash', { metadata: { bytecodeHash: 'none' } }, {}],
])('%s that differ are told, also after what is shown of them', (name, one, other) => {
  expect(differences(metadataWith(one), metadataWith(other))).toEqual([name]);
});

test('sources that differ after what is shown of them are told', () => {
  const names = (last: string) =>
    Object.fromEntries([...MANY.map((each) => [`a/${each}`, {}]), [`z/${last}`, {}]]);
  expect(differences(metadataWith({}, names('1')), metadataWith({}, names('2')))).toEqual(['Sources']);
});

test('the same settings in another order and with defaults written out agree', () => {
  const libraries = { 'L.sol:L': '0x01', 'M.sol:M': '0x02' };
  const turned = Object.fromEntries(Object.entries(libraries).reverse());
  const one = metadataWith({ libraries, optimizer: { enabled: true, runs: 200 }, viaIR: false });
  expect(differences(one, metadataWith({ libraries: turned, metadata: { bytecodeHash: 'ipfs' } }))).toEqual(
    [],
  );
});

test.each(['', '[]', '{}', '{"settings":{},"compiler":{}}', 'x'.repeat(10)])('%j is no metadata', (text) => {
  expect(settingsOfMetadata(text)).toBeNull();
});
