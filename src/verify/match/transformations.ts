import { type Hex, parseHex } from '../../values/hex.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** Why recompiled code differs from the code on chain at one place. */
export type TransformationReason =
  | 'constructorArguments'
  | 'library'
  | 'immutable'
  | 'cborAuxdata'
  | 'callProtection';

/**
 * One step that turns recompiled code into the code on chain. Offsets and lengths are bytes.
 *
 * @see contracts/verification-engine.md section 8
 */
export interface Transformation {
  readonly type: 'insert' | 'replace' | 'delete';
  readonly reason: TransformationReason;
  readonly offset: number;
  /** Key of the value: `file:Lib`, AST id or number of the auxdata. Absent where there is one value only. */
  readonly id?: string;
  /** Bytes taken out of the recompiled code, when that differs from the length of the value. */
  readonly length?: number;
}

/** The bytes that the transformations put in; a member exists only when its step was taken. */
export interface TransformationValues {
  readonly constructorArguments?: Hex;
  readonly callProtection?: Hex;
  readonly libraries?: Readonly<Record<string, Hex>>;
  readonly immutables?: Readonly<Record<string, Hex>>;
  readonly cborAuxdata?: Readonly<Record<string, Hex>>;
}

/** Code in which places gave way to what the chain holds there, and the record of it. */
export interface ReplacedCode {
  readonly code: Uint8Array;
  readonly transformations: readonly Transformation[];
  readonly values: TransformationValues;
}

/**
 * Applies stored transformations to stored recompiled code.
 *
 * The result equals the code on chain for every stored match: that is the invariant of the store.
 *
 * @throws MatchingError when a value is missing or is no hex.
 * @see contracts/verification-engine.md section 8
 */
export function applyTransformations(
  recompiled: Uint8Array,
  transformations: readonly Transformation[],
  values: TransformationValues,
): Uint8Array {
  let code = Uint8Array.from(recompiled);
  for (const transformation of transformations) {
    const { type, offset } = transformation;
    const value = type === 'delete' ? new Uint8Array() : bytesOf(transformation, values);
    const removed = type === 'insert' ? 0 : (transformation.length ?? value.length);
    code = splice(code, offset, removed, value);
  }
  return code;
}

/**
 * Puts bytes in the place of `removed` ones: in `code` itself where they are as many, of which there may be tens of
 * thousands, otherwise in a copy.
 */
export function splice(
  code: Uint8Array<ArrayBuffer>,
  offset: number,
  removed: number,
  inserted: Uint8Array,
): Uint8Array<ArrayBuffer> {
  if (removed === inserted.length && offset + removed <= code.length) {
    code.set(inserted, offset);
    return code;
  }
  const tail = code.subarray(offset + removed);
  const result = new Uint8Array(offset + inserted.length + tail.length);
  result.set(code.subarray(0, offset));
  result.set(inserted, offset);
  result.set(tail, offset + inserted.length);
  return result;
}

function bytesOf({ reason, id = '' }: Transformation, values: TransformationValues): Uint8Array {
  const text = textOf(reason, id, values);
  const bytes = text === undefined ? null : parseHex(text);
  if (bytes === null) throw new MatchingError(`No value is stored for the ${reason} "${id}"`);
  return bytes;
}

function textOf(reason: TransformationReason, id: string, values: TransformationValues): Hex | undefined {
  switch (reason) {
    case 'constructorArguments':
      return values.constructorArguments;
    case 'callProtection':
      return values.callProtection;
    case 'library':
      return values.libraries?.[id];
    case 'immutable':
      return values.immutables?.[id];
    case 'cborAuxdata':
      return values.cborAuxdata?.[id];
  }
}

/** Recompiled code, artifacts or auxdata are not what the matching expects; the side counts as "no match". */
export class MatchingError extends LedgerlensError {
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super('matching_failed', message, { details });
  }
}
