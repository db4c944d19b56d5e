import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Hex } from '../../values/hex.ts';
import { MAX_MEMBERS } from '../json-excess.ts';
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

/** What a packed submission takes: its text at most two bytes a character. */
export function heldBytesOf({ input, packed }: StoredSubmission): number {
  return input.length * 2 + (packed?.length ?? 0);
}

/** A member, an element, an empty object or list. Measured: at most 103 bytes. */
export const MEMBER_BYTES = 104;
const MAX_MEMBERS_BYTES = MAX_MEMBERS * MEMBER_BYTES;

/**
 * Heap that a submission may take, by the size of its text: strings, of which one character may make all take two bytes,
 * and what members it can name. Measured: lists in lists take 28 times their text.
 */
export function heapBytesOf(textBytes: number): number {
  return textBytes * 2 + Math.min(textBytes * 26, MAX_MEMBERS_BYTES);
}

/**
 * Larger texts are compressed in another thread: writing them as they are would hold up all requests, and what waits to
 * be written would fill the heap.
 */
export const LARGE_CHARACTERS = 131_072;
/** Half a million characters are read in two milliseconds; packing and unpacking them takes seven. */
const MAX_LARGE_CHARACTERS = 524_288;

/**
 * From how many characters on the text of a large body is compressed: one below, parsed, fits in what is kept of those
 * that begin while they are stored.
 *
 * @param recentBytes that such submissions may take.
 */
export function largeCharactersWithin(recentBytes: number): number {
  const kept = Math.floor(recentBytes / heapBytesOf(1));
  return Math.min(MAX_LARGE_CHARACTERS, Math.max(LARGE_CHARACTERS, kept));
}

/** Reads a stored submission. One without `kind` was stored by a build that knew standard JSON only. */
export function readStoredSubmission(text: string): Submission {
  const stored = JSON.parse(text) as Submission | Omit<StandardJsonSubmission, 'kind'>;
  return 'kind' in stored ? stored : { kind: 'standard_json', ...stored };
}

const compress = promisify(gzip);
const unpack = promisify(gunzip);

const FASTEST = { level: 1 };

/** A submission as its row holds it: JSON text, or empty text and the same in gzip when it is large. */
export interface StoredSubmission {
  readonly input: string;
  readonly packed: Uint8Array | null;
}

/**
 * @param largeCharacters from which it is compressed.
 * @returns the columns of the row and the size of the JSON text in bytes.
 */
export async function packSubmission(
  submission: Submission,
  largeCharacters = LARGE_CHARACTERS,
): Promise<StoredSubmission & { readonly bytes: number }> {
  const text = JSON.stringify(submission);
  if (text.length < largeCharacters) return { input: text, packed: null, bytes: Buffer.byteLength(text) };
  // Printing took its time: others have their turn.
  await setImmediate();
  const bytes = Buffer.from(text, 'utf8');
  return { input: '', packed: await compress(bytes, FASTEST), bytes: bytes.length };
}

/** Reads what {@link packSubmission} made. */
export async function unpackSubmission({ input, packed }: StoredSubmission): Promise<Submission> {
  return readStoredSubmission(packed === null ? input : (await unpack(packed)).toString('utf8'));
}
