import type { Compilation } from '../compiler.ts';

/** The outputs of a successful compilation; the input is known to who asks. */
export interface KeptOutput {
  readonly compilation: Omit<Compilation, 'input'>;
  /** How long the compiler worked for it. */
  readonly milliseconds: number;
}

/**
 * Keeps outputs of compilers between runs of the server. Any entry may be gone at any time.
 *
 * @see contracts/verification-engine.md section 13
 */
export interface OutputCache {
  /** @returns null when nothing usable is kept under this key. */
  read(key: string): Promise<KeptOutput | null>;
  /** Keeps an output, which may push out those that were not used for the longest time. */
  write(key: string, output: KeptOutput): Promise<void>;
  /** Resolves when what is being written is written, or has failed. */
  settled(): Promise<void>;
}
