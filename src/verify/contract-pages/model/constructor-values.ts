import type { Hex } from '../../../values/hex.ts';
import { isJsonObject, type JsonObject } from '../../json-object.ts';
import * as AbiParameters from '../../match/abi-parameters.ts';

/** One value that a constructor was called with. */
interface ConstructorValue {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

const LONGEST_TEXT = 2_000;

/** The arguments of a constructor, by the ABI; null when the bytes are no such arguments. */
export function constructorValues(abi: unknown, data: Hex): readonly ConstructorValue[] | null {
  const item = (Array.isArray(abi) ? abi : [])
    .filter(isJsonObject)
    .find(({ type }) => type === 'constructor');
  const inputs = Array.isArray(item?.['inputs']) ? item['inputs'].filter(isJsonObject) : [];
  if (inputs.length === 0) return null;
  try {
    const values = AbiParameters.decode(inputs as unknown as readonly AbiParameters.Parameter[], data, {
      as: 'Array',
      checksumAddress: true,
    }) as readonly unknown[];
    return inputs.map((input, index) => ({
      name: String(input['name'] ?? ''),
      type: typeText(input),
      text: cut(valueText(values[index])),
    }));
  } catch {
    // The codec throws many error classes; each of them says that the bytes are something else.
    return null;
  }
}

function typeText({ type, internalType }: JsonObject): string {
  return typeof internalType === 'string' && internalType !== type
    ? `${internalType} (${String(type)})`
    : String(type);
}

/** Whole numbers of every length as they are, texts within lists in quotes. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(memberText).join(', ')}]`;
  if (isJsonObject(value)) {
    return `{ ${Object.entries(value)
      .map(([name, member]) => `${name}: ${memberText(member)}`)
      .join(', ')} }`;
  }
  return String(value);
}

function memberText(value: unknown): string {
  const isText = typeof value === 'string' && !value.startsWith('0x');
  return isText ? JSON.stringify(value) : valueText(value);
}

function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
}
