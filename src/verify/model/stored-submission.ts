import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { readStoredSubmission, type Submission } from './submission.ts';

const compress = promisify(gzip);
const unpack = promisify(gunzip);

/** Larger texts are compressed in another thread: writing them as they are would hold up all requests. */
const LARGE_CHARACTERS = 1_048_576;
const FASTEST = { level: 1 };

/** A submission as its row holds it: JSON text, or empty text and the same in gzip when it is large. */
export interface StoredSubmission {
  readonly input: string;
  readonly packed: Uint8Array | null;
}

/** @returns the columns of the row and the size of the JSON text in bytes. */
export async function packSubmission(
  submission: Submission,
): Promise<StoredSubmission & { readonly bytes: number }> {
  const text = JSON.stringify(submission);
  if (text.length < LARGE_CHARACTERS) return { input: text, packed: null, bytes: Buffer.byteLength(text) };
  // Printing took its time: others have their turn.
  await setImmediate();
  const bytes = Buffer.from(text, 'utf8');
  return { input: '', packed: await compress(bytes, FASTEST), bytes: bytes.length };
}

/** Reads what {@link packSubmission} made. */
export async function unpackSubmission({ input, packed }: StoredSubmission): Promise<Submission> {
  return readStoredSubmission(packed === null ? input : (await unpack(packed)).toString('utf8'));
}
