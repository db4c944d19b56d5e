import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sharedDataMissing, sharedPath } from '../../../test/shared-data.ts';
import { parseHex, toHex } from '../../values/hex.ts';
import { planAuxdataPositions } from './auxdata-positions.ts';
import { readLinkableCode } from './link-references.ts';
import type { SideMatch } from './match-runtime.ts';
import { applyTransformations } from './transformations.ts';
import { matchBothSides, type PreparedCode } from './verify-bytecode.ts';

if (sharedDataMissing !== null) console.warn(sharedDataMissing);

const folders = ['verifier-alliance', 'verifier-alliance/vyper', 'verifier-alliance/fe'];
const vectors = folders.flatMap((folder) =>
  sharedDataMissing === null
    ? readdirSync(sharedPath('cases', folder))
        .filter((file) => file.endsWith('.json'))
        .map((file) => ({ name: `${folder}/${file}`, path: sharedPath('cases', folder, file) }))
    : [],
);

describe.skipIf(sharedDataMissing !== null)('matchBothSides on stored compiler output', () => {
  test.each(vectors)('$name', ({ path }) => {
    const { onchain, input, output, verification } = JSON.parse(readFileSync(path, 'utf8'));
    const { creationCodeArtifacts: creation, runtimeCodeArtifacts: runtime } = output;
    const code: PreparedCode = {
      compiler: { language: input.stdJsonInput.language, version: input.compilerVersion },
      creation: readLinkableCode(output.creationBytecode, creation.linkReferences ?? {}),
      runtime: readLinkableCode(output.deployedBytecode, runtime.linkReferences ?? {}),
      creationLinkReferences: creation.linkReferences,
      runtimeLinkReferences: runtime.linkReferences,
      immutableReferences: runtime.immutableReferences,
      assembly: { all: [], runtimeIndexes: [] },
      abi: output.compilationArtifacts.abi,
    };
    const auxdata = { creation: creation.cborAuxdata, runtime: runtime.cborAuxdata };
    if (code.compiler.language === 'Vyper') {
      expect(planAuxdataPositions(code).known).toEqual(auxdata);
    }
    const sides = {
      creation: parseHex(onchain.creationBytecode),
      runtime: parseHex(onchain.deployedBytecode) ?? new Uint8Array(),
    };
    const matches = matchBothSides(code, sides, auxdata);
    expect(describeSide(matches.creation)).toEqual({
      grade: verification.creationMatch,
      transformations: verification.creationTransformations,
      values: verification.creationValues,
    });
    expect(describeSide(matches.runtime)).toEqual({
      grade: verification.runtimeMatch,
      transformations: verification.runtimeTransformations,
      values: verification.runtimeValues,
    });
    expectReproduced(code.creation, matches.creation, onchain.creationBytecode);
    expectReproduced(code.runtime, matches.runtime, onchain.deployedBytecode);
  });
});

function describeSide(side: SideMatch | null) {
  return side ?? { grade: null, transformations: null, values: null };
}

function expectReproduced(recompiled: Uint8Array, side: SideMatch | null, onchain: string): void {
  if (side === null) return;
  expect(toHex(applyTransformations(recompiled, side.transformations, side.values))).toBe(onchain);
}
