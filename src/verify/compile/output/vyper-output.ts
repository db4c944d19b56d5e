import { isJsonObject, type JsonObject } from '../../json-object.ts';
import { isBefore } from '../../match/version-order.ts';
import { type CompilationTarget, type StandardJson, settingsOf } from '../../standard-json.ts';
import { contractMissing } from './contract-candidates.ts';
import { errorsOf, hashSources, readSourceIds, type TargetOutput } from './solidity-output.ts';

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

const FIRST_WITH_IMMUTABLES = '0.3.1';
/** From here on the auxdata tell the size, where there are any. */
const FIRST_WITH_SIZE_IN_AUXDATA = '0.3.10';
const WORD_BYTES = 32;

/**
 * Reads from the IR how many bytes of immutables the constructor appends to the runtime code.
 *
 * The IR ends its constructor with `deploy <memory> <runtime> <bytes>`; 0.3.1 writes `return <memory>
 * (add <bytes> _lllsz)` instead, and only when there are immutables. Newer ones of these compilers print the IR
 * as objects (operator → list of arguments), older ones as text in square brackets.
 *
 * @param hasAuxdata whether the code was compiled with them, as it is unless `bytecodeMetadata` is `false`.
 * @returns undefined when there are none, when the auxdata tell the size, and when the IR is not clear.
 * @see contracts/verification-engine.md section 4.4
 */
export function readImmutableTail(version: string, ir: unknown, hasAuxdata = true): number | undefined {
  if (isBefore(version, FIRST_WITH_IMMUTABLES)) return undefined;
  if (hasAuxdata && !isBefore(version, FIRST_WITH_SIZE_IN_AUXDATA)) return undefined;
  const sizes = new Set(typeof ir === 'string' ? sizesInText(ir) : sizesInObjects(ir));
  const [size, ...others] = sizes;
  return size === undefined || others.length > 0 ? undefined : size;
}

function sizesInObjects(root: unknown): readonly number[] {
  const sizes: number[] = [];
  const pending = [root];
  while (pending.length > 0) {
    const node = pending.pop();
    if (Array.isArray(node)) pending.push(...node);
    if (!isJsonObject(node)) continue;
    const { deploy, ...others } = node;
    if (Array.isArray(deploy)) {
      const size: unknown = deploy[2];
      if (isSize(size)) sizes.push(size);
    }
    pending.push(...Object.values(others));
  }
  return sizes;
}

function sizesInText(text: string): readonly number[] {
  // Names and lines of the source stand in comments, which may hold brackets.
  const code = withoutBlockComments(text).replace(/#.*$/gm, ' ');
  const deployed = [...code.matchAll(/\[deploy,/g)].map(({ index }) => lastArgument(code, index));
  const returned = [...code.matchAll(/\[return,\s*\d+,\s*\[add,\s*(\d+),\s*_lllsz\s*\]\s*\]/g)].map(
    ([, size]) => size ?? '',
  );
  return [...deployed, ...returned].map(Number).filter(isSize);
}

function withoutBlockComments(text: string): string {
  let kept = '';
  for (let from = 0; ; ) {
    const begin = text.indexOf('/*', from);
    const end = begin < 0 ? -1 : text.indexOf('*/', begin + 2);
    if (end < 0) return kept + text.slice(from);
    kept += `${text.slice(from, begin)} `;
    from = end + 2;
  }
}

/** The text after the last comma of the list that begins at `start`. */
function lastArgument(code: string, start: number): string {
  let depth = 0;
  let comma = start;
  for (let index = start; index < code.length; index++) {
    const character = code[index];
    if (character === '[') depth += 1;
    if (character === ',' && depth === 1) comma = index;
    if (character === ']') depth -= 1;
    if (depth === 0) return code.slice(comma + 1, index).trim();
  }
  return '';
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value % WORD_BYTES === 0;
}
