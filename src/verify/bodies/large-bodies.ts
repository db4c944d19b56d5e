import type { StoredSubmission } from '../model/stored-submission.ts';
import type { Submission } from '../model/submission.ts';
import type { BodyKind } from './body-kind.ts';
import type { PreparedBody } from './prepared-body.ts';

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
