import type { Compilation } from '../../compile/compiler.ts';
import {
  type CodeSide,
  type FoundPositions,
  NO_POSITIONS,
  type PositionPlan,
  placeByEditedSource,
  placeByForm,
  planAuxdataPositions,
} from '../../match/auxdata/auxdata-positions.ts';
import { MatchingError } from '../../match/transformations.ts';
import type { PreparedCode } from '../../match/verify-bytecode.ts';
import { prepareCode } from '../results/prepare-code.ts';

/** Where the auxdata of a compilation are, and what remains to be proven. */
export interface AuxdataProof {
  readonly plan: PositionPlan;
  /** The positions that edited sources prove; empty when these cannot be compiled. */
  readonly byEditedSources: () => Promise<FoundPositions>;
}

const NOTHING: PositionPlan = {
  known: NO_POSITIONS,
  edited: { creation: 'never', runtime: 'never' },
};

/** Positions that were proven before. */
export function provenBefore(known: FoundPositions): AuxdataProof {
  return { plan: { ...NOTHING, known }, byEditedSources: async () => known };
}

/**
 * Proves the positions of a fresh compilation; those that cannot be proven are left out.
 *
 * @param compileEdited compiles the sources with a trailing space each; null when that fails.
 */
export function proveAuxdata(
  code: PreparedCode,
  compileEdited: () => Promise<Compilation | null>,
): AuxdataProof {
  return {
    plan: orNothing(() => planAuxdataPositions(code), NOTHING),
    async byEditedSources() {
      const edited = await compileEdited();
      if (edited === null) return NO_POSITIONS;
      return orNothing(() => {
        const editedCode = prepareCode(edited);
        const place = (side: CodeSide) =>
          code.assembly.length === 0
            ? placeByForm(code, editedCode, side)
            : placeByEditedSource(
                {
                  original: code[side],
                  edited: editedCode[side],
                  assembly: code.assembly,
                  editedAssembly: edited.assembly,
                },
                side,
              );
        return { creation: place('creation'), runtime: place('runtime') };
      }, NO_POSITIONS);
    },
  };
}

function orNothing<T>(find: () => T, nothing: T): T {
  try {
    return find();
  } catch (error) {
    if (error instanceof MatchingError) return nothing;
    throw error;
  }
}
