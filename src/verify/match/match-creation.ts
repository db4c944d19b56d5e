import { type Hex, toHex } from '../../values/hex.ts';
import * as AbiParameters from './abi-parameters.ts';
import { replaceAuxdata } from './auxdata/auxdata-transformation.ts';
import type { AuxdataPositions, CompilerIdentity, LinkReferences, MatchGrade } from './compiled-code.ts';
import { gradeEqualCode } from './grade.ts';
import { fillLibraries } from './library-transformation.ts';
import type { SideMatch } from './match-runtime.ts';
import type { Transformation, TransformationValues } from './transformations.ts';

/** Recompiled creation code with its artifacts, and the code that the creation transaction carried. */
interface CreationSides {
  readonly compiler: CompilerIdentity;
  /** Placeholders of libraries are zeros. */
  readonly recompiled: Uint8Array;
  readonly onchain: Uint8Array;
  readonly linkReferences: LinkReferences;
  readonly auxdata: AuxdataPositions;
  /** Tells which constructor arguments may follow the code. */
  readonly abi: unknown;
}

/**
 * Compares recompiled creation code with that of the creation transaction.
 *
 * What follows the recompiled code on chain must be the canonical encoding of the constructor's arguments.
 *
 * @returns null when they do not match.
 * @see contracts/verification-engine.md section 7.5
 */
export function matchCreation(sides: CreationSides): SideMatch | null {
  const { compiler, onchain, auxdata } = sides;
  const libraries = fillLibraries(sides.recompiled, onchain, sides.linkReferences);
  if (libraries === null) return null;
  if (startsWith(onchain, libraries.code)) {
    const grade = gradeEqualCode(auxdata, compiler);
    return withArguments(sides, libraries.code, grade, libraries.transformations, libraries.values);
  }
  if (Object.keys(auxdata).length === 0) return null;
  const replaced = replaceAuxdata(libraries.code, onchain, auxdata, compiler);
  if (replaced === null || !startsWith(onchain, replaced.code)) return null;
  return withArguments(
    sides,
    replaced.code,
    'match',
    [...libraries.transformations, ...replaced.transformations],
    { ...libraries.values, ...replaced.values },
  );
}

function withArguments(
  { onchain, abi }: CreationSides,
  code: Uint8Array,
  grade: MatchGrade,
  transformations: readonly Transformation[],
  values: TransformationValues,
): SideMatch | null {
  const rest = onchain.subarray(code.length);
  if (rest.length === 0) return { grade, transformations, values };
  if (!areConstructorArguments(abi, rest)) return null;
  return {
    grade,
    transformations: [
      ...transformations,
      { type: 'insert', reason: 'constructorArguments', offset: code.length },
    ],
    values: { ...values, constructorArguments: toHex(rest) },
  };
}

function startsWith(code: Uint8Array, prefix: Uint8Array): boolean {
  return code.length >= prefix.length && Buffer.compare(code.subarray(0, prefix.length), prefix) === 0;
}

interface AbiParameter {
  readonly type: string;
  readonly name?: string;
  readonly components?: readonly AbiParameter[];
}

/** Types of the constructor's parameters; empty when the contract has no constructor or no ABI. */
function constructorInputs(abi: unknown): readonly AbiParameter[] {
  if (!Array.isArray(abi)) return [];
  const item: unknown = abi.find((entry: unknown) => isRecord(entry) && entry['type'] === 'constructor');
  const inputs = isRecord(item) ? item['inputs'] : undefined;
  return Array.isArray(inputs) ? inputs.filter(isParameter).map(normalise) : [];
}

/**
 * Checks that bytes are exactly the canonical encoding of constructor arguments.
 *
 * Decoding alone is not enough: trailing bytes and dirty padding decode as well, so the values are encoded
 * again and compared.
 *
 * @see contracts/verification-engine.md section 7.5
 */
export function areConstructorArguments(abi: unknown, bytes: Uint8Array): boolean {
  const inputs = constructorInputs(abi);
  if (inputs.length === 0) return bytes.length === 0;
  const data: Hex = toHex(bytes);
  try {
    const values = AbiParameters.decode(inputs as readonly AbiParameters.Parameter[], data);
    return AbiParameters.encode(inputs as readonly AbiParameters.Parameter[], values as never) === data;
  } catch {
    // The codec throws many error classes; each of them says "these are no arguments of this constructor".
    return false;
  }
}

/**
 * Gives each type a name under which the codec keeps every byte: an external function pointer is encoded as 24
 * bytes, a fixed-point number (Vyper's `decimal`) as an integer of its size, and a string is compared as bytes because it may
 * begin with zeros or hold no UTF-8.
 */
function normalise(parameter: AbiParameter): AbiParameter {
  const type = parameter.type
    .replace(/^function(?=$|\[)/, 'bytes24')
    .replace(/^(u?)fixed(\d+)x\d+(?=$|\[)/, '$1int$2')
    .replace(/^string(?=$|\[)/, 'bytes');
  if (parameter.components === undefined) return { type };
  return { type, components: parameter.components.map(normalise) };
}

function isParameter(value: unknown): value is AbiParameter {
  return isRecord(value) && typeof value['type'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
