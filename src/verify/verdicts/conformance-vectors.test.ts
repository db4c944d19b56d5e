import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { expectedCreationMatch } from '../../../test/kit/verify/match-vector.ts';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import { putStandInCompilers } from '../../../test/kit/verify/stand-in-compilers.ts';
import { type RecordedVector, recordingOf } from '../../../test/kit/verify/vector-recording.ts';
import { sharedJsonFiles } from '../../../test/shared-data.ts';
import { describeShared } from '../../../test/support/shared-suites.ts';
import { putVectorCompilers } from '../../../test/support/vector-compilers.ts';
import { parseHex, toHex } from '../../values/hex.ts';
import { applyTransformations } from '../match/transformations.ts';

interface Vector extends RecordedVector {
  readonly onchain: { readonly creationBytecode: string; readonly deployedBytecode: string };
}

/** Vectors that cannot pass here, with the reason that the run prints. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  match_sol_0_4_0: 'npm has no working solc 0.4.0; the matcher alone is tested in match/vectors.test.ts',
};
/** Its files take the place of those of the same name. */
const NEWER_FOLDER = 'verification-2026-11/alliance-vyper';
const NATIVE_FOLDERS = ['verifier-alliance/vyper', 'verifier-alliance/fe', NEWER_FOLDER];

describeShared('the verification vectors over HTTP', () => {
  for (const [name, reason] of Object.entries(LEFT_OUT)) console.warn(`vector ${name} left out: ${reason}`);
  const newer = new Set(sharedJsonFiles('cases', NEWER_FOLDER).map(({ name }) => name));
  const vectors = ['verifier-alliance', 'verification-own', ...NATIVE_FOLDERS].flatMap((folder) =>
    sharedJsonFiles('cases', folder)
      .filter(({ name }) => folder === NEWER_FOLDER || !newer.has(name))
      .map(({ name, path }) => ({ name: name.replace('.json', ''), folder, path }))
      .filter(({ name }) => !Object.hasOwn(LEFT_OUT, name)),
  );
  const contracts = new Map<string, MockContract>();
  let served: ServedArea;
  let compilerDir: string;
  beforeAll(async () => {
    compilerDir = mkdtempSync(join(tmpdir(), 'vector-compilers-'));
    // No package brings Vyper and Fe: executables replay what the vectors say that the compilers answered.
    const native = vectors.filter(({ folder }) => NATIVE_FOLDERS.includes(folder));
    const recordings = native.map(({ path }) => recordingOf(JSON.parse(readFileSync(path, 'utf8'))));
    putStandInCompilers(compilerDir, recordings);
    putVectorCompilers(compilerDir);
    served = await serveArea({ chainsJson: MOCK_CHAINS, fetch: mockChainFetch(contracts), compilerDir });
  });
  afterAll(async () => {
    await served.close();
    rmSync(compilerDir, { recursive: true });
  });

  test.each(vectors)('$name', async ({ name, path }) => {
    const vector = JSON.parse(readFileSync(path, 'utf8')) as Vector;
    // A library holds its own address, and only there it is exact.
    const own: string | undefined = vector.verification.runtimeValues?.callProtection;
    const address = own ?? `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
    const transactionHash = `0x${createHash('sha256').update(address).digest('hex')}`;
    contracts.set(address, {
      runtime: vector.onchain.deployedBytecode,
      creation: vector.onchain.creationBytecode,
      transactionHash,
    });
    const { job } = await verifyToEnd(served.app, `31337/${address}`, {
      ...vector.input,
      creationTransactionHash: transactionHash,
    });
    const { verification, output } = vector;
    const lookup = await served.app.inject(`/v2/contract/31337/${address}?fields=all`);
    if (verification.creationMatch === null && verification.runtimeMatch === null) {
      expect(job.error?.customCode).toBe(verification.errorCode);
      expect(lookup.statusCode).toBe(404);
      return;
    }
    expect(job).not.toHaveProperty('error');
    const contract = lookup.json();
    expect(contract).toMatchObject({
      creationMatch: expectedCreationMatch(verification),
      runtimeMatch: verification.runtimeMatch,
      creationBytecode: {
        transformations: verification.creationTransformations,
        transformationValues: verification.creationValues,
      },
      runtimeBytecode: {
        transformations: verification.runtimeTransformations,
        transformationValues: verification.runtimeValues,
      },
    });
    expectStored(contract, output);
    expectReproduced(contract.creationBytecode, contract.creationMatch);
    expectReproduced(contract.runtimeBytecode, contract.runtimeMatch);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with vectors of any form
function expectStored(contract: any, output: any): void {
  if (output.cborAuxdataCreation !== undefined) {
    expect(contract.creationBytecode.cborAuxdata).toEqual(output.cborAuxdataCreation);
    expect(contract.runtimeBytecode.cborAuxdata).toEqual(output.cborAuxdataRuntime);
    expect(contract.runtimeBytecode.immutableReferences).toEqual(output.immutableReferences);
    return;
  }
  const { sources, ...artifacts } = output.compilationArtifacts;
  const withSourceMap = (each: object) => ({ sourceMap: null, ...each });
  expect(contract).toMatchObject({
    ...artifacts,
    sourceIds: sources,
    metadata: output.metadata,
    creationBytecode: {
      recompiledBytecode: output.creationBytecode,
      ...withSourceMap(output.creationCodeArtifacts),
    },
    runtimeBytecode: {
      recompiledBytecode: output.deployedBytecode,
      ...withSourceMap(output.runtimeCodeArtifacts),
    },
  });
  expect(contract.creationBytecode.cborAuxdata).toEqual(output.creationCodeArtifacts.cborAuxdata);
  expect(contract.runtimeBytecode.cborAuxdata).toEqual(output.runtimeCodeArtifacts.cborAuxdata);
}

/** The invariant of the store. */
// biome-ignore lint/suspicious/noExplicitAny: see above
function expectReproduced(code: any, grade: string | null): void {
  if (grade === null) return;
  const recompiled = parseHex(code.recompiledBytecode) ?? new Uint8Array();
  const rebuilt = applyTransformations(recompiled, code.transformations, code.transformationValues);
  expect(toHex(rebuilt)).toBe(code.onchainBytecode);
}
