import type { Compilation } from '../../../src/verify/compile/compiler.ts';
import type { MatchedVerification } from '../../../src/verify/jobs/results/verification-result.ts';
import type { MatchGrade } from '../../../src/verify/match/compiled-code.ts';

/** A compilation of one empty contract; another comment gives other code. */
export function aCompilation({ comment = '' }: { readonly comment?: string }): Compilation {
  return {
    compiler: { language: 'Solidity', version: '0.8.30+commit.73712a01' },
    compilerName: 'solc',
    target: { path: 'a.sol', name: 'A' },
    input: { language: 'Solidity', sources: { 'a.sol': { content: comment } }, settings: {} },
    creation: { object: '60', sourceMap: '', linkReferences: {} },
    runtime: { object: '61', sourceMap: '', linkReferences: {}, immutableReferences: {} },
    abi: [],
    userdoc: null,
    devdoc: null,
    storageLayout: null,
    transientStorageLayout: null,
    metadata: null,
    sourceIds: null,
    assembly: [],
    sourceHashes: { 'a.sol': '00'.repeat(32) },
  };
}

/** A finished verification with the given grades. */
export function aMatch({
  compilation,
  runtime,
  creation,
}: {
  readonly compilation: Compilation;
  readonly runtime: MatchGrade | null;
  readonly creation: MatchGrade | null;
}): MatchedVerification {
  const side = (grade: MatchGrade | null) =>
    grade === null ? null : { grade, transformations: [], values: {} };
  const code = Buffer.from(`code ${compilation.input.sources['a.sol']?.content}`);
  return {
    kind: 'matched',
    compilation,
    recompiledCreation: code,
    recompiledRuntime: code,
    auxdata: { creation: {}, runtime: {} },
    matches: { creation: side(creation), runtime: side(runtime) },
    onchainRuntime: Buffer.from('code on chain'),
    creation: null,
    compilationMs: 12.3,
  };
}
