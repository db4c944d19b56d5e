import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/**
 * Why a unit was not taken.
 *
 * @see contracts/streams.md section 15
 */
export type IngestErrorCode =
  | 'unsupported_version'
  | 'malformed'
  | 'no_items'
  | 'file_hash_mismatch'
  | 'metadata_hash_mismatch'
  | 'running_hash_mismatch'
  | 'sidecar_hash_mismatch'
  | 'chain_mismatch'
  | 'consensus_not_reached'
  | 'unknown_node'
  | 'bad_signature'
  | 'duplicate_conflict'
  | 'block_number_mismatch'
  | 'nonconsecutive_block'
  | 'unsupported_item'
  | 'bad_block_proof'
  | 'unsupported_proof'
  | 'missing_ledger_id'
  | 'ledger_id_conflict'
  | 'fork'
  | 'source_unreachable'
  | 'source_refused'
  | 'inconsistent_source'
  | 'fixture_too_old'
  | 'empty_file'
  | 'record_file_missing'
  | 'sidecar_missing'
  | 'signature_missing'
  | 'wrong_file_name'
  | 'unreadable_file'
  | 'another_import'
  | 'nothing_to_import'
  | 'wrong_network';

/** An error of this area: `code` is stable, the message names the file and the reason. */
export class IngestError extends LedgerlensError {
  constructor(
    code: IngestErrorCode,
    message: string,
    options: { readonly details?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
  ) {
    super(code, message, options);
  }
}

/** What is wrong with the bytes of a file, or of the unit in it. */
export function malformedFile(name: string, reason: string): IngestError {
  return new IngestError('malformed', `Malformed file ${name}: ${reason}`);
}

/** Whether the source failed, not what it gave: the same question may be answered later. */
export function isSourceFault(error: unknown): boolean {
  return error instanceof IngestError && ['source_unreachable', 'source_refused'].includes(error.code);
}

/** Adds the file's name to an error of a parser that does not know it. */
export function inFile<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof IngestError) throw cause;
    const code = cause instanceof LedgerlensError && cause.code === 'malformed' ? 'malformed' : null;
    if (code === null) throw cause;
    throw new IngestError(code, `Malformed file ${name}: ${(cause as Error).message}`, { cause });
  }
}
