import type { Readable } from 'node:stream';
import { badRequest, bodyTooLarge } from './fee-request.ts';

/**
 * Collects a request body, and stops at the limit also when the client announced no length.
 *
 * @param done called once: with a MirrorApiError 413 as soon as more than `limitBytes` have arrived (the rest is not
 * kept), with a 400 when the client breaks off, else with the body.
 * @see contracts/fees-estimate.md section 7
 */
export function readBody(
  payload: Readable,
  limitBytes: number,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let isDone = false;
  payload.on('data', (chunk: Buffer) => {
    size += chunk.length;
    // What still arrives behind the limit flows into nothing; the answer closes the connection.
    if (size <= limitBytes) chunks.push(chunk);
    else finish(bodyTooLarge(size, limitBytes));
  });
  payload.on('end', () => {
    const [only] = chunks;
    finish(null, chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
  });
  payload.on('error', (cause) => finish(badRequest('Failed to read request', cause)));

  // Taking the listeners away again would cost more than the body itself.
  function finish(error: Error | null, body?: Buffer): void {
    if (isDone) return;
    isDone = true;
    chunks.length = 0;
    done(error, body);
  }
}
