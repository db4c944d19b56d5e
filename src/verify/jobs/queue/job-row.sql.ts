import { toHex } from '../../../values/hex.ts';
import type { JsonObject } from '../../json-object.ts';
import type { MatchGrade } from '../../match/compiled-code.ts';
import type { NamedSettings } from '../../mismatch/metadata-settings.ts';
import type { JobErrorCode } from '../../model/job-failure.ts';
import { bytesToHex } from '../results/store-verification.sql.ts';
import type { JobRecord, TakenJob } from './job-repository.ts';

/** A row of `findJob`; integers are bigint. */
export interface JobRow {
  readonly id: string;
  readonly chain_id: string;
  readonly address: Buffer;
  readonly started_at: bigint;
  readonly finished_at: bigint | null;
  readonly compilation_ms: bigint | null;
  readonly creation_match: MatchGrade | null;
  readonly runtime_match: MatchGrade | null;
  readonly match_id: bigint | null;
  readonly verified_at: bigint | null;
  readonly error_code: JobErrorCode | null;
  readonly error_id: string | null;
  readonly error_data: string | null;
  readonly warnings: string | null;
  readonly queue_position: bigint | null;
  readonly recompiled_creation_code: Buffer | null;
  readonly recompiled_runtime_code: Buffer | null;
  readonly onchain_creation_code: Buffer | null;
  readonly onchain_runtime_code: Buffer | null;
  readonly creation_transaction_hash: Buffer | null;
  readonly recompiled_settings: string | null;
}

/** A row of `claimJob`. */
export interface ClaimedRow {
  readonly id: string;
  readonly chain_id: string;
  readonly address: Uint8Array;
  readonly started_at: number;
  readonly is_suspect: number;
  readonly lone_crashes: number;
  readonly warnings: string | null;
}

/** Reads a claimed job. */
export function toTaken(row: ClaimedRow): TakenJob {
  return {
    id: row.id,
    chainId: row.chain_id,
    address: toHex(row.address),
    startedAt: row.started_at,
    isSuspect: row.is_suspect === 1,
    loneCrashes: row.lone_crashes,
    warnings: readWarnings(row.warnings),
  };
}

/** Reads a job record. */
export function toRecord(row: JobRow): JobRecord {
  const match =
    row.match_id === null
      ? null
      : {
          creation: row.creation_match,
          runtime: row.runtime_match,
          matchId: row.match_id,
          verifiedAt: Number(row.verified_at),
        };
  const error =
    row.error_code === null || row.error_id === null
      ? null
      : {
          id: row.error_id,
          code: row.error_code,
          data: row.error_data === null ? null : (JSON.parse(row.error_data) as JsonObject),
        };
  return {
    id: row.id,
    chainId: row.chain_id,
    address: toHex(row.address),
    startedAt: Number(row.started_at),
    finishedAt: row.finished_at === null ? null : Number(row.finished_at),
    queuePosition: row.queue_position === null ? null : Number(row.queue_position),
    warnings: readWarnings(row.warnings),
    compilationMs: row.compilation_ms === null ? null : Number(row.compilation_ms),
    match,
    error,
    bytecodes: {
      recompiledCreation: row.recompiled_creation_code,
      recompiledRuntime: row.recompiled_runtime_code,
      onchainCreation: row.onchain_creation_code,
      onchainRuntime: row.onchain_runtime_code,
      creationTransactionHash: bytesToHex(row.creation_transaction_hash),
      recompiledSettings:
        row.recompiled_settings === null ? null : (JSON.parse(row.recompiled_settings) as NamedSettings),
    },
  };
}

function readWarnings(text: string | null): readonly string[] {
  return text === null ? [] : (JSON.parse(text) as readonly string[]);
}

/** Prints the column `warnings`: null when there are none. */
export function printWarnings(warnings: readonly string[]): string | null {
  return warnings.length === 0 ? null : JSON.stringify(warnings);
}
