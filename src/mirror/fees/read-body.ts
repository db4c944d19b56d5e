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
  payload.on('data', collect);
  payload.on('end', finish);
  payload.on('error', fail);

  function collect(chunk: Buffer): void {
    size += chunk.length;
    if (size <= limitBytes) {
      chunks.push(chunk);
      return;
    }
    stop();
    // What still arrives flows into nothing; the answer closes the connection.
    payload.on('error', () => {});
    payload.resume();
    done(bodyTooLarge(size, limitBytes));
  }

  function finish(): void {
    stop();
    const [only] = chunks;
    done(null, chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size));
  }

  function fail(cause: Error): void {
    stop();
    done(badRequest('Failed to read request', cause));
  }

  function stop(): void {
    payload.off('data', collect);
    payload.off('end', finish);
    payload.off('error', fail);
  }
}
