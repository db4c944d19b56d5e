import type { Hex } from '../values/hex.ts';
import type { CompilationTarget, StandardJson } from './standard-json.ts';

/** A checked submission, as it is stored until its job ends. */
export interface Submission {
  readonly input: StandardJson;
  /** Without `v`; may be short (`0.8.30`). */
  readonly compilerVersion: string;
  readonly target: CompilationTarget;
  readonly creationTransactionHash: Hex | null;
}
