import type { AbiSignature, SignatureType } from '../signatures.ts';

/** The signatures of everything that is verified. */
export interface SignatureRepository {
  /**
   * Lists the signatures of one kind whose hash begins with the given digits, the one that most contracts have first.
   *
   * @param hash hex without 0x, at most 64 digits and an even number of them.
   */
  listByHash(type: SignatureType, hash: string): Promise<readonly string[]>;
  /** Reads the next signatures in the order of their text; fewer than `limit` when there are no more. */
  listByText(window: SignatureWindow): Promise<readonly KnownSignature[]>;
  /** Counts the next signatures in the order of their hash. */
  countAfter(hash: string, limit: number): Promise<SignatureCount>;
}

/** A part of all signatures. */
interface SignatureWindow {
  /** With what the texts begin. */
  readonly prefix: string;
  /** The text before the first one; empty at the beginning. */
  readonly after: string;
  readonly limit: number;
}

/** A signature and all its kinds: an error may have the text of a function. */
export type KnownSignature = Omit<AbiSignature, 'type'> & { readonly types: readonly SignatureType[] };

/** What a part of all signatures is. */
interface SignatureCount {
  readonly kinds: Readonly<Record<SignatureType, number>>;
  /** Hash of the last one, hex without 0x; null when there are no more. */
  readonly last: string | null;
}
