import type { Hex } from '../../values/hex.ts';
import type { ContractMetadata } from '../metadata/contract-metadata.ts';
import type { CompilationTarget, StandardJson } from '../standard-json.ts';

/** A checked submission, as it is stored until its job ends. */
export type Submission = StandardJsonSubmission | MetadataSubmission | SimilaritySubmission;

/** Compiler input as the compiler takes it. @see contracts/verification-api.md section 3 */
export interface StandardJsonSubmission {
  readonly kind: 'standard_json';
  readonly input: StandardJson;
  /** Without `v`; may be short (`0.8.30`). */
  readonly compilerVersion: string;
  readonly target: CompilationTarget;
  readonly creationTransactionHash: Hex | null;
}

/** The metadata of a contract and files that should hold its sources. @see contracts/verification-api.md section 7.1 */
export interface MetadataSubmission {
  readonly kind: 'metadata';
  readonly metadata: ContractMetadata;
  /** Texts by path. They are matched by content; a path counts only when all files are needed. */
  readonly files: Readonly<Record<string, string>>;
  readonly creationTransactionHash: Hex | null;
}

/** Nothing but the address: a stored compilation may fit. @see contracts/verification-api.md section 7.2 */
export interface SimilaritySubmission {
  readonly kind: 'similarity';
  readonly creationTransactionHash: Hex | null;
}

/** A submission as its row holds it, with what has to be known of it until its job runs. */
export interface PackedSubmission {
  readonly kind: 'packed';
  /** JSON text; empty when it is packed. */
  readonly input: string;
  /** The same in gzip. */
  readonly packed: Uint8Array | null;
  /** Size of the JSON text in UTF-8. */
  readonly bytes: number;
}

/** Reads a stored submission. One without `kind` was stored by a build that knew standard JSON only. */
export function readStoredSubmission(text: string): Submission {
  const stored = JSON.parse(text) as Submission | Omit<StandardJsonSubmission, 'kind'>;
  return 'kind' in stored ? stored : { kind: 'standard_json', ...stored };
}
