import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { aCompilation } from '../../../test/kit/verify/a-verification.ts';
import { storeMatch } from '../../../test/kit/verify/store-match.ts';
import { sharedPath } from '../../../test/shared-data.ts';
import { describeShared } from '../../../test/support/shared-suites.ts';
import { openMemoryStore } from '../../../test/support/test-store.ts';
import { parseHex } from '../../values/hex.ts';
import type { Compilation } from '../compile/compiler.ts';
import { attemptSimilarity } from '../jobs/attempts/attempt-submission.ts';

const bytes = (hex: string) => parseHex(hex) ?? new Uint8Array();

describeShared('similar contracts in other languages', () => {
  test.each(['vyper/constructor_args_immutables', 'vyper/auxdata-0.4.1', 'fe/single_file', 'yul'])(
    '%s is found and matches as if it had been compiled',
    async (name) => {
      const path = sharedPath('cases', 'verifier-alliance', ...`${name}.json`.split('/'));
      const { onchain, input, output, verification } = JSON.parse(readFileSync(path, 'utf8'));
      const { language, ...members } = input.stdJsonInput;
      const [file = '', contract = ''] = input.contractIdentifier.split(':');
      const { creationCodeArtifacts: creation, runtimeCodeArtifacts: runtime } = output;
      const compilation: Compilation = {
        ...aCompilation({}),
        ...output.compilationArtifacts,
        compiler: { language, version: input.compilerVersion },
        compilerName: language === 'Yul' ? 'solc' : language.toLowerCase(),
        target: { path: file, name: contract },
        input: { language, ...members },
        creation: { object: output.creationBytecode, ...creation },
        runtime: { object: output.deployedBytecode, ...runtime },
        sourceHashes: {},
      };
      const store = await openMemoryStore();
      onTestFinished(() => store.close());
      await storeMatch(
        store.verify,
        { address: `0x${'1'.repeat(40)}` },
        {
          kind: 'matched',
          compilation,
          recompiledCreation: bytes(output.creationBytecode),
          recompiledRuntime: bytes(output.deployedBytecode),
          auxdata: { creation: creation.cborAuxdata ?? {}, runtime: runtime.cborAuxdata ?? {} },
          matches: { creation: null, runtime: { grade: 'match', transformations: [], values: {} } },
          onchainRuntime: bytes(onchain.deployedBytecode),
          creation: null,
          compilationMs: 1,
        },
      );
      const attempt = await attemptSimilarity({
        candidates: store.verify.candidates,
        onchain: {
          address: `0x${'0'.repeat(40)}`,
          runtime: bytes(onchain.deployedBytecode),
          creation: async () => ({
            creationCode: bytes(onchain.creationBytecode),
            life: 'present',
          }),
        },
        progress: { signal: new AbortController().signal, enter() {}, warn() {} },
      });
      expect(attempt).toMatchObject({
        kind: 'compared',
        matches: {
          creation: {
            grade: verification.creationMatch,
            transformations: verification.creationTransformations,
          },
          runtime: { grade: verification.runtimeMatch, values: verification.runtimeValues },
        },
      });
    },
  );
});
