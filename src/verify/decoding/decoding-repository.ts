import type { Hex } from '../../values/hex.ts';

/** Compilations whose ABIs are asked which arguments of one event are indexed. */
export const COMPILATIONS_OF_A_TOPIC = 4;

/** A compilation, which never changes, and the bytes of its artifacts. */
export interface SizedCompilation {
  readonly compilationId: bigint;
  readonly bytes: number;
}

/** Reads what decoding needs of everything that is verified, for a page at once. */
export interface DecodingRepository {
  /** The compilations that are shown at those of the addresses that are verified. */
  listOfAddresses(
    chainId: string,
    addresses: readonly Hex[],
  ): Promise<readonly (SizedCompilation & { readonly address: Hex })[]>;
  /** Texts of JSON objects with `abi`, in no order. */
  readArtifacts(
    compilationIds: readonly bigint[],
  ): Promise<readonly { readonly compilationId: bigint; readonly artifacts: string }[]>;
  /**
   * The signatures of functions or errors with these selectors.
   *
   * @param selectors 8 digits each.
   * @param each at most so many of one selector.
   */
  listOfSelectors(
    type: 'function' | 'error',
    selectors: readonly string[],
    each: number,
  ): Promise<readonly { readonly selector: string; readonly signature: string }[]>;
  /** The first {@link COMPILATIONS_OF_A_TOPIC} compilations with an event of each topic. @param topics 64 digits each. */
  listOfTopics(
    topics: readonly string[],
  ): Promise<readonly (SizedCompilation & { readonly topic: string })[]>;
}
