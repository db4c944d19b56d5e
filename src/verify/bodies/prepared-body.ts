import type { RequestErrorCode } from '../errors.ts';
import type { PackedSubmission } from '../model/submission.ts';
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
  | { readonly kind: 'form'; readonly form: FormBody };
