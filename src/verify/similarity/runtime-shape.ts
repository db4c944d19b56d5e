import { createHash } from 'node:crypto';
import type { AuxdataPositions, ImmutableReferences, LinkReferences } from '../match/compiled-code.ts';
import { LIBRARY_ADDRESS_BYTES, libraryPlaces } from '../match/link-references.ts';

/** Offset and length in bytes. */
export type CodePlace = readonly [offset: number, length: number];

/** The places at which deployed code may differ from what the compiler gave. Equal for all clones of a contract. */
type RuntimeShape = ReturnType<typeof runtimeShapeOf>;

/** Runtime code as compiled, with what is known about its variable places. */
export interface ShapedCode {
  /** Library placeholders and immutables are zeros. */
  readonly runtime: Uint8Array;
  readonly linkReferences: LinkReferences;
  readonly immutableReferences: ImmutableReferences;
  readonly auxdata: AuxdataPositions;
  readonly hasCallProtection: boolean;
  /** Bytes of immutables that the deployment appends. */
  readonly immutableTailBytes: number;
}

/** Length of the prefix by which similar code is found when its shape is not known. @see contracts/verification-engine.md section 12 */
export const PREFIX_BYTES = 75;

/** Describes where deployed code of a compilation may vary. Places are in ascending order. */
export function runtimeShapeOf(code: ShapedCode) {
  const { runtime, immutableTailBytes, hasCallProtection } = code;
  const tail: readonly CodePlace[] = immutableTailBytes > 0 ? [[runtime.length, immutableTailBytes]] : [];
  return {
    /** Bytes of the deployed code. */
    length: runtime.length + immutableTailBytes,
    auxdata: inOrder(
      Object.values(code.auxdata).map(({ value, offset }): CodePlace => [offset, value.length / 2 - 1]),
    ),
    /** Libraries, immutables and the address that a library keeps of itself. */
    filled: inOrder([
      ...(hasCallProtection ? [[1, LIBRARY_ADDRESS_BYTES] as const] : []),
      ...libraryPlaces(code.linkReferences).map(({ start }) => [start, LIBRARY_ADDRESS_BYTES] as const),
      ...Object.values(code.immutableReferences).flatMap((ranges) =>
        ranges.map(({ start, length }) => [start, length] as const),
      ),
      ...tail,
    ]),
  };
}

/**
 * Hashes code of exactly the length of the shape, or compiled code that still lacks its appended immutables.
 *
 * @returns what is equal for contracts that are likely to be the same, SHA-256: with zeros in all variable places, and in
 * all of them except auxdata.
 */
export function likenessUnder({ length, auxdata, filled }: RuntimeShape, code: Uint8Array) {
  const bytes = new Uint8Array(length);
  bytes.set(code.subarray(0, length));
  for (const [offset, size] of filled) bytes.fill(0, offset, offset + size);
  const linkedHash = createHash('sha256').update(bytes).digest();
  if (auxdata.length === 0) return { maskedHash: linkedHash, linkedHash };
  for (const [offset, size] of auxdata) bytes.fill(0, offset, offset + size);
  return { maskedHash: createHash('sha256').update(bytes).digest(), linkedHash };
}

function inOrder(places: readonly CodePlace[]): readonly CodePlace[] {
  return [...places].sort(([left], [right]) => left - right);
}
