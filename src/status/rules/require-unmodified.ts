import { StatusConflictError } from '../errors.ts';

/**
 * Refuses to overwrite what is newer than the caller knows.
 *
 * @param updatedAt when the subject last changed, UTC milliseconds.
 * @param since the latest second in which it may have changed, UTC milliseconds.
 * @throws StatusConflictError
 * @see contracts/status.md section 4, Errors
 */
export function requireUnmodified(updatedAt: number, since: number): void {
  // The header has whole seconds, so a change within its second cannot be told from one before.
  if (Math.floor(updatedAt / 1000) > Math.floor(since / 1000)) throw new StatusConflictError();
}
