import { isJsonObject, type JsonObject } from '../../json-object.ts';
import { type CompilationTarget, type StandardJson, settingsOf } from '../../standard-json.ts';
import { contractMissing } from './contract-candidates.ts';
import { errorsOf } from './output-errors.ts';
import type { TargetOutput } from './solidity-output.ts';
import { hashSources, readSourceIds } from './source-facts.ts';
import { readImmutableTail } from './vyper-ir.ts';

/**
 * Picks the target contract out of the answer of a Vyper compiler of the given version.
 *
 * @see contracts/verification-engine.md section 4
 */
export function readVyperOutput(
  output: unknown,
  input: StandardJson,
  { path, name }: CompilationTarget,
  version: string,
): TargetOutput {
  if (!isJsonObject(output)) return { kind: 'no_output' };
  const errors = errorsOf(output);
  if (errors.length > 0) return { kind: 'errors', errors };
  const found = memberOf(memberOf(memberOf(output, 'contracts'), path), name);
  if (found === null) return contractMissing(input, { path, name });
  const evm = memberOf(found, 'evm');
  const [creation, deployed] = [memberOf(evm, 'bytecode'), memberOf(evm, 'deployedBytecode')];
  const immutableTailBytes = readImmutableTail(
    version,
    found['ir'],
    settingsOf(input)['bytecodeMetadata'] !== false,
  );
  return {
    kind: 'contract',
    contract: {
      creation: {
        object: textOf(creation?.['object']),
        sourceMap: creation?.['sourceMap'] ?? null,
        linkReferences: null,
      },
      runtime: {
        object: textOf(deployed?.['object']),
        sourceMap: deployed?.['sourceMap'] ?? null,
        linkReferences: null,
        immutableReferences: null,
      },
      ...(immutableTailBytes === undefined ? {} : { immutableTailBytes }),
      abi: found['abi'] ?? null,
      userdoc: found['userdoc'] ?? null,
      devdoc: found['devdoc'] ?? null,
      storageLayout: found['layout'] ?? null,
      transientStorageLayout: null,
      metadata: null,
      sourceIds: readSourceIds(output['sources']),
      assembly: [],
      sourceHashes: hashSources(input),
    },
  };
}

function memberOf(parent: JsonObject | null, member: string): JsonObject | null {
  const value = parent !== null && Object.hasOwn(parent, member) ? parent[member] : null;
  return isJsonObject(value) ? value : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
