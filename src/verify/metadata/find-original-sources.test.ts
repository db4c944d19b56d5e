import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { parseHex } from '../../values/hex.ts';
import { splitTrailingAuxdata } from '../match/auxdata/auxdata.ts';
import { findOriginalSources } from './find-original-sources.ts';
import { contentHash, type MetadataHash, readMetadataHash } from './metadata-hash.ts';

const require = createRequire(import.meta.url);

interface Compiled {
  readonly metadata: string;
  readonly hash: MetadataHash;
  readonly urls: readonly string[];
}

const VERSIONS = ['0.4.26', '0.5.17', '0.6.12', '0.7.6', '0.8.30'];

function compile(
  version: string,
  contents: Readonly<Record<string, string>>,
  metadata: object | null = null,
): Compiled {
  const solc = require('solc/wrapper')(require(`solc-${version}/soljson.js`));
  const sources = Object.fromEntries(Object.entries(contents).map(([path, content]) => [path, { content }]));
  const settings = {
    ...(metadata === null ? {} : { metadata }),
    outputSelection: { 'a.sol': { A: ['metadata', 'evm.deployedBytecode.object'] } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })));
  const contract = output.contracts?.['a.sol']?.A;
  if (contract === undefined) throw new Error(JSON.stringify(output.errors));
  const code = parseHex(contract.evm.deployedBytecode.object) ?? new Uint8Array();
  const hash = readMetadataHash(splitTrailingAuxdata(code)?.decoded);
  if (hash === null) throw new Error('The compiler gave no metadata hash');
  return {
    metadata: contract.metadata,
    hash,
    urls: JSON.parse(contract.metadata).sources['a.sol'].urls,
  };
}

const LF = {
  'a.sol': '// "\\ \u0001\té日本😀\nimport "./b.sol";\ncontract A is B {}\n',
  'b.sol': 'contract B {\n  function f() public {}\n}\n\n',
};
const withCrlf = (contents: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(contents).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]));

describe('findOriginalSources', () => {
  test.each(VERSIONS)('hashes the metadata of solc %s to what stands in its code', (version) => {
    const { metadata, hash } = compile(version, LF);
    expect(contentHash(hash.kind, Buffer.from(metadata))).toBe(hash.hash);
  });

  test.each(
    VERSIONS.flatMap((version) => [
      [version, null],
      [version, { useLiteralContent: true }],
    ]) as [string, object | null][],
  )('finds the line ends of solc %s with metadata settings %j', (version, metadata) => {
    const submitted = compile(version, withCrlf(LF), metadata);
    const deployed = compile(version, LF, metadata);
    const search = { metadata: submitted.metadata, contents: withCrlf(LF), compiled: submitted.hash };
    expect(findOriginalSources({ ...search, wanted: deployed.hash })).toEqual({
      contents: LF,
      variation: 'LF, end unchanged',
    });
  });

  test.each(['ipfs', 'bzzr1'])('finds a missing last line end, hashed by %s', (bytecodeHash) => {
    const deployed = { 'a.sol': 'contract A {}' };
    const contents = { 'a.sol': 'contract A {}\n\n' };
    const submitted = compile('0.8.30', contents, { bytecodeHash });
    const { hash: wanted } = compile('0.8.30', deployed, { bytecodeHash });
    expect(wanted.kind).toBe(bytecodeHash);
    const { metadata, hash: compiled } = submitted;
    expect(findOriginalSources({ metadata, contents, compiled, wanted })?.contents).toEqual(deployed);
  });

  test('finds nothing when more than line ends differ', () => {
    const submitted = compile('0.8.30', LF);
    const deployed = compile('0.8.30', { ...LF, 'b.sol': `${LF['b.sol']}// more` });
    expect(
      findOriginalSources({
        metadata: submitted.metadata,
        contents: LF,
        compiled: submitted.hash,
        wanted: deployed.hash,
      }),
    ).toBeNull();
  });

  test('finds nothing in metadata that do not give the hash in the code', () => {
    const { metadata, hash } = compile('0.8.30', LF);
    const search = { metadata: `${metadata} `, contents: withCrlf(LF), compiled: hash, wanted: hash };
    expect(findOriginalSources(search)).toBeNull();
  });
});

describe('contentHash', () => {
  // Around one chunk of Swarm (4096), its second and third level (128 times more) and one block of IPFS.
  test.each([0, 1, 4095, 4096, 4097, 8192, 262_144, 262_145, 524_288, 528_384, 530_000])(
    'agrees with the compiler about a source of %i more bytes',
    (length) => {
      const start = 'contract A {}//';
      const contents = { 'a.sol': start + 'x'.repeat(Math.max(0, length - start.length)) };
      const { metadata, hash, urls } = compile('0.8.30', contents);
      expect(contentHash('ipfs', Buffer.from(metadata))).toBe(hash.hash);
      const shifted = { 'a.sol': `${contents['a.sol']}\n` };
      const found = findOriginalSources({
        metadata: compile('0.8.30', shifted).metadata,
        contents: shifted,
        compiled: compile('0.8.30', shifted).hash,
        wanted: hash,
      });
      expect(found?.contents).toEqual(contents);
      expect(urls).toHaveLength(2);
    },
    20_000,
  );
});
