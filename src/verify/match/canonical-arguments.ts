import { bufferOf } from '../../values/hex.ts';

/** A parameter as an ABI declares it. */
export interface AbiParameter {
  readonly type: string;
  readonly components?: readonly AbiParameter[];
}

/** What a type looks like in encoded bytes; `head` is what it takes among its neighbours. */
interface Shape {
  readonly head: number;
  readonly isDynamic: boolean;
  readonly kind:
    | { readonly of: 'word'; readonly isValid: (bytes: Buffer, at: number) => boolean }
    | { readonly of: 'bytes' }
    | { readonly of: 'array'; readonly each: Shape; readonly count: number | null }
    | { readonly of: 'tuple'; readonly members: readonly Shape[] };
}

const WORD = 32;
/** Deeper types are no compiler's. */
const MAX_DEPTH = 64;
/** The last bytes of a word, as many as a number holds exactly; a place or length has zeros before them. */
const SAFE_BYTES = 6;
const NONE = -1;

/**
 * Whether bytes are exactly the canonical encoding of values of these types.
 *
 * Each part must begin where the one before it ends, so each byte is looked at once. Decoding takes as long as the values are
 * large: places that point to the same bytes make gigabytes of a few thousand.
 *
 * @see Contract ABI Specification, "Formal Specification of the Encoding"
 */
export function isCanonicalEncoding(parameters: readonly AbiParameter[], bytes: Uint8Array): boolean {
  const shapes = parameters.map((parameter) => shapeOf(parameter, 0));
  if (shapes.some((shape) => shape === null)) return false;
  const tuple = tupleOf(shapes as readonly Shape[]);
  return endOfMembers(bufferOf(bytes), tuple.kind, 0) === bytes.length;
}

function shapeOf({ components, type }: AbiParameter, depth: number): Shape | null {
  if (depth > MAX_DEPTH) return null;
  if (type.endsWith(']')) {
    const open = type.lastIndexOf('[');
    const each = shapeOf(
      { type: type.slice(0, Math.max(0, open)), ...(components && { components }) },
      depth + 1,
    );
    const digits = type.slice(open + 1, -1);
    if (each === null || each.head === 0 || !/^\d{0,9}$/.test(digits)) return null;
    const count = digits === '' ? null : Number(digits);
    const isDynamic = count === null || each.isDynamic;
    return {
      head: isDynamic ? WORD : each.head * count,
      isDynamic,
      kind: { of: 'array', each, count },
    };
  }
  if (type === 'tuple') {
    const members = (components ?? []).map((component) => shapeOf(component, depth + 1));
    return members.some((member) => member === null) ? null : tupleOf(members as readonly Shape[]);
  }
  if (type === 'bytes' || type === 'string') return { head: WORD, isDynamic: true, kind: { of: 'bytes' } };
  const isValid = wordOf(type);
  return isValid === null ? null : { head: WORD, isDynamic: false, kind: { of: 'word', isValid } };
}

function tupleOf(members: readonly Shape[]) {
  const isDynamic = members.some((member) => member.isDynamic);
  const size = members.reduce((sum, { head }) => sum + head, 0);
  return { head: isDynamic ? WORD : size, isDynamic, kind: { of: 'tuple' as const, members } };
}

/** The words that a value type takes; null for a type that there is not. */
function wordOf(type: string): ((bytes: Buffer, at: number) => boolean) | null {
  const [, kind = '', digits = ''] =
    /^(uint|int|bytes|address|bool|function|ufixed|fixed)(\d*)(?:x\d{1,2})?$/.exec(type) ?? [];
  switch (kind) {
    case 'uint':
    case 'ufixed':
    case 'int':
    case 'fixed': {
      const size = digits === '' ? WORD : Number(digits) / 8;
      if (!Number.isInteger(size) || size < 1 || size > WORD) return null;
      const isSigned = kind === 'int' || kind === 'fixed';
      return (bytes, at) => {
        const first = at + WORD - size;
        const fill = isSigned && (bytes[first] ?? 0) >= 0x80 ? 0xff : 0;
        return isFilled(bytes, at, first, fill);
      };
    }
    case 'address':
      return (bytes, at) => isFilled(bytes, at, at + 12, 0);
    case 'bool':
      return (bytes, at) => isFilled(bytes, at, at + WORD - 1, 0) && (bytes[at + WORD - 1] ?? 2) <= 1;
    case 'function':
      return (bytes, at) => isFilled(bytes, at + 24, at + WORD, 0);
    case 'bytes': {
      const size = Number(digits);
      if (size < 1 || size > WORD) return null;
      return (bytes, at) => isFilled(bytes, at + size, at + WORD, 0);
    }
    default:
      return null;
  }
}

function isFilled(bytes: Buffer, from: number, to: number, value: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== value) return false;
  return true;
}

/** The number in a word; -1 when it is cut off, or larger than there are bytes. */
function numberAt(bytes: Buffer, at: number): number {
  const first = at + WORD - SAFE_BYTES;
  if (at + WORD > bytes.length || !isFilled(bytes, at, first, 0)) return NONE;
  const number = bytes.readUIntBE(first, SAFE_BYTES);
  return number > bytes.length ? NONE : number;
}

type Members = Extract<Shape['kind'], { readonly of: 'array' | 'tuple' }>;

/** Where values end that begin together at a place; -1 when they are not encoded canonically. */
function endOfMembers(bytes: Buffer, kind: Members, at: number, count = countOf(kind)): number {
  const size =
    kind.of === 'array' ? count * kind.each.head : kind.members.reduce((sum, { head }) => sum + head, 0);
  let [head, tail] = [at, at + size];
  if (tail > bytes.length) return NONE;
  for (let index = 0; index < count; index++) {
    const member = kind.of === 'array' ? kind.each : kind.members[index];
    if (member === undefined) return NONE;
    if (member.isDynamic) {
      if (numberAt(bytes, head) !== tail - at) return NONE;
      tail = endOfDynamic(bytes, member, tail);
      if (tail === NONE) return NONE;
    } else if (!isStatic(bytes, member, head)) return NONE;
    head += member.head;
  }
  return tail;
}

function countOf(kind: Members): number {
  return kind.of === 'array' ? (kind.count ?? 0) : kind.members.length;
}

function endOfDynamic(bytes: Buffer, { kind }: Shape, at: number): number {
  switch (kind.of) {
    case 'bytes': {
      const length = numberAt(bytes, at);
      const end = at + WORD + Math.ceil(length / WORD) * WORD;
      const isWhole = length !== NONE && end <= bytes.length;
      return isWhole && isFilled(bytes, at + WORD + length, end, 0) ? end : NONE;
    }
    case 'array': {
      if (kind.count !== null) return endOfMembers(bytes, kind, at);
      const count = numberAt(bytes, at);
      return count === NONE ? NONE : endOfMembers(bytes, kind, at + WORD, count);
    }
    case 'tuple':
      return endOfMembers(bytes, kind, at);
    case 'word':
      return NONE;
  }
}

function isStatic(bytes: Buffer, { kind }: Shape, at: number): boolean {
  if (kind.of === 'word') return kind.isValid(bytes, at);
  return kind.of !== 'bytes' && endOfMembers(bytes, kind, at) !== NONE;
}
