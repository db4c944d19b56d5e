/** The name that solc gives to the immutable in which a library compiled by way of its IR keeps its own address. */
export const LIBRARY_GUARD = 'library_deploy_address';

/**
 * What the compiler says of a contract's code beside the code: bytes alone may be a literal of the sources.
 *
 * @see contracts/verification-engine.md section 7.1
 */
export interface CodeTraits {
  /** True for a library of Solidity from 0.4.20. */
  readonly isLibrary: boolean;
  /** True when the code begins with a PUSH20 into which the deployment puts the address of the code. */
  readonly hasCallProtection: boolean;
  /** Immutables that point to internal functions, by AST id: the values that the constructor can store. */
  readonly functionPointers: Readonly<Record<string, readonly number[]>>;
}

/** Nothing is known. */
export const NO_TRAITS: CodeTraits = { isLibrary: false, hasCallProtection: false, functionPointers: {} };

/** How the stored traits of a library begin. */
export const LIBRARY_TRAITS = JSON.stringify({ ...NO_TRAITS, isLibrary: true }).split(',')[0] ?? '';
