import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type JudgedSide, matchVector, preparedCodeOf } from '../../../test/kit/verify/match-vector.ts';
import { sharedJsonFiles } from '../../../test/shared-data.ts';
import { describeShared } from '../../../test/support/shared-suites.ts';
import { toHex } from '../../values/hex.ts';
import { planAuxdataPositions } from './auxdata/auxdata-positions.ts';
import { applyTransformations } from './transformations.ts';

const FOLDERS = ['verifier-alliance', 'verifier-alliance/vyper', 'verifier-alliance/fe'];

describeShared('matchBothSides on stored compiler output', () => {
  const vectors = FOLDERS.flatMap((folder) =>
    sharedJsonFiles('cases', folder).map(({ name, path }) => ({ name: `${folder}/${name}`, path })),
  );
  test.each(vectors)('$name', ({ path }) => {
    const vector = JSON.parse(readFileSync(path, 'utf8'));
    const { onchain, output, verification } = vector;
    const code = preparedCodeOf(vector);
    if (code.compiler.language === 'Vyper') {
      expect(planAuxdataPositions(code).known).toEqual({
        creation: output.creationCodeArtifacts.cborAuxdata,
        runtime: output.runtimeCodeArtifacts.cborAuxdata,
      });
    }
    const { creation, runtime } = matchVector(vector);
    expect(creation).toEqual({
      grade: verification.creationMatch,
      transformations: verification.creationTransformations,
      values: verification.creationValues,
    });
    expect(runtime).toEqual({
      grade: verification.runtimeMatch,
      transformations: verification.runtimeTransformations,
      values: verification.runtimeValues,
    });
    expectReproduced(code.creation, creation, onchain.creationBytecode);
    expectReproduced(code.runtime, runtime, onchain.deployedBytecode);
  });
});

function expectReproduced(recompiled: Uint8Array, side: JudgedSide, onchain: string): void {
  if (side.grade === null) return;
  expect(toHex(applyTransformations(recompiled, side.transformations, side.values))).toBe(onchain);
}
