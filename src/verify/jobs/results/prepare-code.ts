import type { Compilation } from '../../compile/compiler.ts';
import { readLinkableCode } from '../../match/link-references.ts';
import { MatchingError } from '../../match/transformations.ts';
import type { PreparedCode } from '../../match/verify-bytecode.ts';
import { settingsOf } from '../../standard-json.ts';

/**
 * Puts zeros in the places of libraries.
 *
 * @throws MatchingError when the code contradicts its own references, or these have no name.
 */
export function prepareCode(compilation: Compilation): PreparedCode {
  const { creation, runtime, compiler, compilerName, assembly, abi, immutableTailBytes, traits, input } =
    compilation;
  // Of Yul, `setimmutable(0, "", 1)`: no record could name it.
  if (Object.hasOwn(runtime.immutableReferences ?? {}, ''))
    throw new MatchingError('An immutable has no name');
  return {
    compiler,
    assembly,
    abi,
    creation: readLinkableCode(creation.object, creation.linkReferences ?? {}),
    runtime: readLinkableCode(runtime.object, runtime.linkReferences ?? {}),
    creationLinkReferences: creation.linkReferences,
    runtimeLinkReferences: runtime.linkReferences,
    immutableReferences: runtime.immutableReferences,
    ...(traits === undefined ? {} : { traits }),
    ...(immutableTailBytes === undefined ? {} : { immutableTailBytes }),
    // A setting of Vyper alone: solc ignores or refuses it.
    ...(compilerName === 'vyper' && settingsOf(input)['bytecodeMetadata'] === false
      ? { hasNoAuxdata: true }
      : {}),
  };
}
