import type { Transformation, TransformationReason } from '../../match/transformations.ts';

/** What was put into the recompiled code, in words. */
interface TransformationRow {
  readonly what: string;
  /** Byte at which it begins. */
  readonly offset: number;
  readonly value: string | null;
}

const WORDS: Readonly<Record<TransformationReason, (id: string) => string>> = {
  constructorArguments: () => 'Arguments of the constructor, after the code',
  library: (id) => `Address of the library ${id}`,
  immutable: (id) =>
    `Value of an immutable variable, which the constructor set${id === '0' ? '' : ` (id ${id})`}`,
  cborAuxdata: (id) =>
    `Metadata at the end of a code${id === '' ? '' : ` (number ${id})`}, which hold the hash of the sources`,
  callProtection: () => 'Own address of a library, which refuses to be called directly',
};

/** The transformations of one code in words, with the values that they put in. */
export function transformationRows(
  transformations: readonly Transformation[],
  values: Readonly<Record<string, unknown>>,
): readonly TransformationRow[] {
  return transformations.map(({ type, reason, offset, id = '' }) => ({
    what: `${WORDS[reason](id)}${type === 'delete' ? '; the code on chain has none' : ''}`,
    offset,
    value: type === 'delete' ? null : putIn(values, reason, id),
  }));
}

const MEMBERS: Readonly<Record<TransformationReason, string>> = {
  constructorArguments: 'constructorArguments',
  callProtection: 'callProtection',
  library: 'libraries',
  immutable: 'immutables',
  cborAuxdata: 'cborAuxdata',
};

function putIn(
  values: Readonly<Record<string, unknown>>,
  reason: TransformationReason,
  id: string,
): string | null {
  const value = values[MEMBERS[reason]];
  if (typeof value === 'string') return value;
  const member = (value as Readonly<Record<string, unknown>> | undefined)?.[id];
  return typeof member === 'string' ? member : null;
}
