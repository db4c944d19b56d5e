import type { RequestErrorCode } from '../errors.ts';
import type { PackedSubmission, StoredSubmission, Submission } from '../model/submission.ts';
import type { FormBody } from './form-body.ts';

/** A refusal as plain data. */
export interface Refusal {
  readonly code: RequestErrorCode;
  readonly message: string;
  /** Members of the answer beside the usual ones. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** A submission that was read in the thread, or what is against it. */
export type PackedOrRefused = PackedSubmission | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * What is left of a body that was read in the thread: plain data without its texts.
 *
 * The refusals stay apart, since other checks of the request come between them.
 */
export type PreparedBody =
  /** It is no JSON, or JSON of no sensible shape. */
  | { readonly kind: 'unreadable'; readonly refusal: Refusal }
  /** It is not what the schema of the route describes. */
  | { readonly kind: 'malformed'; readonly refusal: Refusal }
  | {
      readonly kind: 'read';
      /** What the body names beside the submission, where the path does not. */
      readonly target: { readonly chainId: string; readonly address: string } | null;
      readonly creationTransactionHash: string | undefined;
      /** Null when the route submits nothing. */
      readonly submission: PackedOrRefused | null;
    }
  | {
      readonly kind: 'form';
      readonly form: FormBody;
      /** That the form takes without its submission. */
      readonly heapBytes: number;
    };

/** The submission of a body that was read in the thread; null when there is none. */
export function packedIn(prepared: PreparedBody): PackedSubmission | null {
  if (prepared.kind === 'read') return prepared.submission?.kind === 'packed' ? prepared.submission : null;
  if (prepared.kind !== 'form') return null;
  const { submission, entered: { outcome } = {} } = prepared.form;
  const sent = outcome?.kind === 'ready' ? outcome.submission : submission;
  return sent?.kind === 'packed' ? sent : null;
}

/** Bodies in JSON that are checked and read in the body thread when they are large. */
export type JsonKind = 'standard_json' | 'metadata' | 'similarity' | 'import';

/** Forms that are read to a submission in the body thread when they are large. */
export type FormKind = 'version_1_verify' | 'version_1_solc_json' | 'version_1_vyper';

/**
 * `form`: a form is only taken apart; `etherscan`: its submission is read besides; `verification_page`: what people
 * entered is read.
 */
export type BodyKind = JsonKind | FormKind | 'form' | 'etherscan' | 'verification_page';

/** Works on large bodies and submissions beside the main thread. */
export interface LargeBodies {
  /**
   * Reads a body to what its job needs of it.
   *
   * @param parts move to the thread and are empty afterwards.
   * @param contentType the header, for forms.
   * @throws VerifyRequestError `invalid_parameter` when the body needs too much memory, `server_busy` when the thread fails.
   */
  prepare(parts: readonly Buffer[], kind: BodyKind, contentType?: string): Promise<PreparedBody>;
  /** Reads a stored submission. */
  unpack(stored: StoredSubmission): Promise<Submission>;
}
