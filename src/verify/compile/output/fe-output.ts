import type { CompilationTarget, StandardJson } from '../../standard-json.ts';
import { contractMissing } from './contract-candidates.ts';
import { hashSources, type TargetOutput } from './solidity-output.ts';

/** Files that Fe wrote about one contract; null where there is none. */
export interface FeArtifacts {
  /** Hex without 0x. */
  readonly creation: string | null;
  readonly runtime: string | null;
  /** JSON text. */
  readonly abi: string | null;
}

/**
 * Makes the target contract of what Fe wrote.
 *
 * @see contracts/verification-engine.md section 5
 */
export function readFeOutput(
  artifacts: FeArtifacts,
  input: StandardJson,
  target: CompilationTarget,
): TargetOutput {
  const { creation, runtime, abi } = artifacts;
  if (creation === null || sourceOfContract(input, target.name) !== target.path) {
    return contractMissing(input, target);
  }
  const code = (hex: string | null) => ({
    object: (hex ?? '').trim(),
    sourceMap: null,
    linkReferences: null,
  });
  let parsedAbi: unknown;
  try {
    parsedAbi = abi === null ? null : JSON.parse(abi);
  } catch {
    // What is wrong with the text does not matter: no compiler should write it.
    return { kind: 'unreadable', message: 'The compiler wrote an ABI that is not JSON' };
  }
  return {
    kind: 'contract',
    contract: {
      creation: code(creation),
      runtime: { ...code(runtime), immutableReferences: null },
      abi: parsedAbi,
      userdoc: null,
      devdoc: null,
      storageLayout: null,
      transientStorageLayout: null,
      metadata: null,
      sourceIds: null,
      assembly: [],
      sourceHashes: hashSources(input),
    },
  };
}

/** The output does not tell which file a contract comes from, so its definition is searched. */
function sourceOfContract({ sources }: StandardJson, name: string): string | undefined {
  const definition = new RegExp(`\\bpub\\s+contract\\s+${name.replace(/\W/g, '')}\\b`);
  const paths = Object.keys(sources);
  return paths.find((path) => definition.test(sources[path]?.content ?? '')) ?? paths[0];
}
