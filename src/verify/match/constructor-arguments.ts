import { type Hex, toHex } from '../../values/hex.ts';
import * as AbiParameters from './abi-parameters.ts';

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
