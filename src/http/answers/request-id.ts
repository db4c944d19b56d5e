import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;
/** Sent back as well, so that a user's report can be matched with the log. */
export const REQUEST_ID_HEADER = 'x-request-id';
const SAFE_ID = /^[\w.:-]{1,128}$/;

/**
 * Takes the caller's id for logs: the trace id of `traceparent`, else `x-request-id`, else a new uuid.
 *
 * @see contracts/verification-api.md section 2.4
 */
export function requestId(
  request: Pick<IncomingMessage, 'headers'>,
  newId: () => string = randomUUID,
): string {
  const parent = request.headers['traceparent'];
  const trace = parent === undefined ? undefined : TRACE_PARENT.exec(String(parent))?.[1];
  if (trace !== undefined) return trace;
  const given = request.headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : newId();
}
