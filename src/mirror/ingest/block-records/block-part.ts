/** One item of a block: which member of `BlockItem` it is, and the bytes of that member. */
export interface BlockPart {
  readonly field: number;
  readonly bytes: Uint8Array;
}
