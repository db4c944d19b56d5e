import type { Compilation } from '../../compile/compiler.ts';
import { readLinkableCode } from '../../match/link-references.ts';
import type { PreparedCode } from '../../match/verify-bytecode.ts';
import { settingsOf } from '../../standard-json.ts';

/**
 * Puts zeros in the places of libraries.
 *
 * @throws MatchingError when the code contradicts its own references.
 */
export function prepareCode(compilation: Compilation): PreparedCode {
  const { creation, runtime, compiler, assembly, abi, immutableTailBytes, input } = compilation;
  return {
    compiler,
    assembly,
    abi,
    creation: readLinkableCode(creation.object, creation.linkReferences ?? {}),
    runtime: readLinkableCode(runtime.object, runtime.linkReferences ?? {}),
    creationLinkReferences: creation.linkReferences,
    runtimeLinkReferences: runtime.linkReferences,
    immutableReferences: runtime.immutableReferences,
    ...(immutableTailBytes === undefined ? {} : { immutableTailBytes }),
    ...(settingsOf(input)['bytecodeMetadata'] === false ? { hasNoAuxdata: true } : {}),
  };
}
