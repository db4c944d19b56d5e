/** What a contract was called with. Not for creations, whose data begin with code. */
export interface CallToDecode {
  readonly kind: 'call';
  /** Chain id as verification names it. */
  readonly chain: string;
  /** 20 bytes. */
  readonly address: Uint8Array;
  readonly data: Uint8Array;
  /** What a call that succeeded gave back; left out when that is not known. */
  readonly returned?: Uint8Array;
}

/** What a call gave back that was reverted. */
export interface RevertToDecode {
  readonly kind: 'revert';
  readonly chain: string;
  readonly address: Uint8Array;
  readonly data: Uint8Array;
}

/** A log of a contract. */
export interface LogToDecode {
  readonly kind: 'log';
  readonly chain: string;
  readonly address: Uint8Array;
  readonly data: Uint8Array;
  /** At most four, 32 bytes each. */
  readonly topics: readonly Uint8Array[];
}

export type DecodeRequest = CallToDecode | RevertToDecode | LogToDecode;

/**
 * Integers as decimal digits, bytes and addresses as lower-case hex with 0x, arrays of values, tuples as their fields.
 */
export type DecodedValue = string | boolean | readonly DecodedValue[] | readonly DecodedField[];

/** A value with its type, such as `uint256` or `(address,bytes)[]`. */
export interface DecodedField {
  /** Null when the ABI names none, or only a signature is known. */
  readonly name: string | null;
  readonly type: string;
  readonly value: DecodedValue;
}

/** An argument of which a log holds only the keccak256: indexed ones that have no fixed size, and tuples and arrays. */
interface HashedArgument {
  readonly name: string | null;
  readonly type: string;
  readonly value: null;
  /** 32 bytes, hex with 0x. */
  readonly hash: string;
}

/** An argument; `indexed` is there for those of logs. */
export type DecodedArgument = (DecodedField | HashedArgument) & { readonly indexed?: boolean };

/** What bytes mean. */
export interface Decoded {
  readonly name: string;
  readonly signature: string;
  readonly arguments: readonly DecodedArgument[];
  /**
   * Who says so: the verified ABI of the contract itself; a signature that other verified contracts have; the language
   * (`Error(string)` and `Panic(uint256)`).
   */
  readonly source: 'contract' | 'signature' | 'language';
  /** What the function returned, when the ABI of the contract itself tells; only for calls. */
  readonly returned?: readonly DecodedField[];
}

/** Tells what calls and logs mean. Nothing is guessed: null is what no ABI explains to the last byte, or more than one. */
export interface DecodeCalls {
  /** Decodes a page at once, with few statements. The answers are in the order of the requests. */
  decodeAll(requests: readonly DecodeRequest[]): Promise<readonly (Decoded | null)[]>;
}
