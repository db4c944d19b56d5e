import type { Readable } from 'node:stream';
import { badRequest, bodyTooLarge } from './fee-request.ts';

/**
 * Collects a request body, and stops at the limit also when the client announced no length.
 *
 * @throws MirrorApiError 413 as soon as more than `limitBytes` have arrived, the rest is not kept; 400 when the
 * client breaks off.
 * @see contracts/fees-estimate.md section 7
 */
export function readBody(payload: Readable, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    payload.on('data', collect);
    payload.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    payload.once('error', (cause) => reject(badRequest('Failed to read request', cause)));

    function collect(chunk: Buffer): void {
      size += chunk.length;
      if (size <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      payload.off('data', collect);
      // What still arrives flows into nothing; the answer closes the connection.
      payload.resume();
      reject(bodyTooLarge(size, limitBytes));
    }
  });
}
