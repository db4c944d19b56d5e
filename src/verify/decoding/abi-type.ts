export const WORD_BYTES = 32;

/** A named parameter, component or return value. */
export interface AbiField {
  /** Null when it has none. */
  readonly name: string | null;
  readonly type: AbiType;
  /** Only parameters of events are. */
  readonly indexed: boolean;
}

interface Shape {
  /** As signatures name it. */
  readonly text: string;
  readonly isDynamic: boolean;
  /** Bytes that it takes where it stands: of a dynamic one the offset. */
  readonly headBytes: number;
}

/** How one word of 32 bytes is read. */
export type WordForm =
  | { readonly form: 'bool' }
  | { readonly form: 'integer'; readonly bits: number; readonly isSigned: boolean }
  | { readonly form: 'leading' | 'trailing'; readonly bytes: number };

/** A type of the ABI. */
export type AbiType = Shape &
  (
    | { readonly kind: 'word'; readonly word: WordForm }
    | { readonly kind: 'bytes' | 'string' }
    /** `length` is null when the data tell it. */
    | { readonly kind: 'array'; readonly element: AbiType; readonly length: number | null }
    | { readonly kind: 'tuple'; readonly components: readonly AbiField[] }
    /** Has a name and nothing that could be decoded: types of libraries, fixed-point numbers, what takes no bytes. */
    | { readonly kind: 'unknown' }
  );

const unknown = (text: string): AbiType => ({
  kind: 'unknown',
  text,
  isDynamic: false,
  headBytes: WORD_BYTES,
});
const word = (text: string, form: WordForm): AbiType => ({
  kind: 'word',
  text,
  isDynamic: false,
  headBytes: WORD_BYTES,
  word: form,
});

const SIZED = /^(uint|int|bytes)([1-9]\d{0,2})$/;

/** The type of a name without dimensions and components. */
export function plainType(text: string): AbiType {
  if (text === 'bytes' || text === 'string') {
    return { kind: text, text, isDynamic: true, headBytes: WORD_BYTES };
  }
  if (text === 'bool') return word(text, { form: 'bool' });
  if (text === 'address') return word(text, { form: 'trailing', bytes: 20 });
  if (text === 'function') return word(text, { form: 'leading', bytes: 24 });
  const [, base, digits] = SIZED.exec(text) ?? [];
  const size = Number(digits);
  if (base === 'bytes' && size <= WORD_BYTES) return word(text, { form: 'leading', bytes: size });
  if ((base === 'uint' || base === 'int') && size <= 256 && size % 8 === 0) {
    return word(text, { form: 'integer', bits: size, isSigned: base === 'int' });
  }
  return unknown(text);
}

/** A tuple; one without components takes no bytes, which no compiler allows. */
export function tupleType(components: readonly AbiField[]): AbiType {
  const text = `(${components.map(({ type }) => type.text).join(',')})`;
  if (components.length === 0 || components.some(({ type }) => type.kind === 'unknown')) return unknown(text);
  const isDynamic = components.some(({ type }) => type.isDynamic);
  const headBytes = isDynamic ? WORD_BYTES : sumOfHeads(components);
  return { kind: 'tuple', text, components, isDynamic, headBytes };
}

const LENGTH = /^[1-9]\d{0,8}$/;

/** An array. @param digits its length as it was written; empty when the data tell it. */
export function arrayType(element: AbiType, digits: string): AbiType {
  const text = `${element.text}[${digits}]`;
  if (element.kind === 'unknown' || (digits !== '' && !LENGTH.test(digits))) return unknown(text);
  const length = digits === '' ? null : Number(digits);
  const isDynamic = length === null || element.isDynamic;
  const headBytes = isDynamic ? WORD_BYTES : element.headBytes * (length ?? 0);
  return { kind: 'array', text, element, length, isDynamic, headBytes };
}

/** Bytes that values of these types take before the first dynamic content. */
export function sumOfHeads(fields: readonly AbiField[]): number {
  return fields.reduce((sum, { type }) => sum + type.headBytes, 0);
}

/** Whether values of all these types can be decoded. */
export function areKnown(fields: readonly AbiField[]): boolean {
  return fields.every(({ type }) => type.kind !== 'unknown');
}
