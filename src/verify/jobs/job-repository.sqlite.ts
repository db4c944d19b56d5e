import { inTransaction, type SqliteDatabase } from '../../storage/sqlite.ts';
import { type Hex, toHex } from '../../values/hex.ts';
import { failure, type JobErrorCode } from '../job-failure.ts';
import type { JsonObject } from '../json-object.ts';
import type { MatchGrade } from '../match/compiled-code.ts';
import { readStoredSubmission } from '../submission.ts';
import type { ClaimedJob, JobRecord, JobRepository } from './job-repository.ts';
import { bytesToHex, prepareStoreVerification } from './store-verification.sqlite.ts';
import type { JobBytecodes, VerificationResult } from './verification-result.ts';

interface JobRow {
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
  readonly recompiled_creation_code: Buffer | null;
  readonly recompiled_runtime_code: Buffer | null;
  readonly onchain_creation_code: Buffer | null;
  readonly onchain_runtime_code: Buffer | null;
  readonly creation_transaction_hash: Buffer | null;
}

interface ClaimedRow {
  readonly id: string;
  readonly chain_id: string;
  readonly address: Buffer;
  readonly started_at: number;
  readonly claims: number;
}

/** The queue in SQLite. The process that serves is the only one that claims. */
export function createSqliteJobRepository(database: SqliteDatabase): JobRepository {
  const storeVerification = prepareStoreVerification(database);
  const unfinished = database.prepare(
    'SELECT 1 FROM verification_job WHERE chain_id = ? AND address = ? AND finished_at IS NULL',
  );
  const countJobs = database.prepare<unknown[], { readonly waiting: number; readonly running: number }>(
    `SELECT count(*) FILTER (WHERE lease_owner IS NULL) AS waiting,
       count(*) FILTER (WHERE lease_owner IS NOT NULL) AS running
     FROM verification_job WHERE finished_at IS NULL`,
  );
  const insertJob = database.prepare(
    'INSERT INTO verification_job (id, chain_id, address, started_at) VALUES (?, ?, ?, ?)',
  );
  const insertInput = database.prepare('INSERT INTO verification_job_input (job_id, input) VALUES (?, ?)');
  const findJob = database
    .prepare<unknown[], JobRow>(
      `SELECT job.*, bytecode.* FROM verification_job AS job
       LEFT JOIN verification_job_bytecode AS bytecode ON bytecode.job_id = job.id WHERE job.id = ?`,
    )
    .safeIntegers(true);
  const claimJob = database.prepare<unknown[], ClaimedRow>(
    `UPDATE verification_job SET claims = claims + 1, lease_owner = ?, heartbeat_at = ?, lease_until = ?
     WHERE id = (SELECT id FROM verification_job
       WHERE finished_at IS NULL AND (lease_until IS NULL OR lease_until < ?)
       ORDER BY started_at, id LIMIT 1)
     RETURNING id, chain_id, address, started_at, claims`,
  );
  const readInput = database.prepare<unknown[], { readonly input: string }>(
    'SELECT input FROM verification_job_input WHERE job_id = ?',
  );
  const prolong = database.prepare(
    `UPDATE verification_job SET heartbeat_at = ?, lease_until = ?
     WHERE id = ? AND lease_owner = ? AND finished_at IS NULL`,
  );
  const releaseJob = database.prepare(
    `UPDATE verification_job SET claims = claims - 1, lease_owner = NULL, lease_until = NULL
     WHERE id = ? AND lease_owner = ? AND finished_at IS NULL`,
  );
  const requeue = database.prepare(
    'UPDATE verification_job SET lease_owner = NULL, lease_until = NULL WHERE finished_at IS NULL',
  );
  const owned = database.prepare<unknown[], { readonly chain_id: string; readonly address: Buffer }>(
    'SELECT chain_id, address FROM verification_job WHERE id = ? AND lease_owner = ? AND finished_at IS NULL',
  );
  const finish = database.prepare(
    `UPDATE verification_job SET finished_at = ?, lease_owner = NULL, lease_until = NULL, compilation_ms = ?,
       creation_match = ?, runtime_match = ?, match_id = ?, verified_at = ?,
       error_code = ?, error_id = ?, error_data = ?
     WHERE id = ?`,
  );
  const dropInput = database.prepare('DELETE FROM verification_job_input WHERE job_id = ?');
  const insertBytecodes = database.prepare(
    `INSERT INTO verification_job_bytecode (job_id, recompiled_creation_code, recompiled_runtime_code,
       onchain_creation_code, onchain_runtime_code, creation_transaction_hash) VALUES (?, ?, ?, ?, ?, ?)`,
  );

  const fail = (
    id: string,
    result: Extract<VerificationResult, { readonly kind: 'failed' }>,
    end: { readonly now: number; readonly errorId: string },
  ) => {
    const { code, data } = result.failure;
    const errorData = data === null ? null : JSON.stringify(data);
    finish.run(end.now, null, null, null, null, null, code, end.errorId, errorData, id);
    const { recompiledCreation, recompiledRuntime, onchainCreation, onchainRuntime } = result.bytecodes;
    const hash = result.bytecodes.creationTransactionHash;
    insertBytecodes.run(
      id,
      toBuffer(recompiledCreation),
      toBuffer(recompiledRuntime),
      toBuffer(onchainCreation),
      toBuffer(onchainRuntime),
      hash === null ? null : Buffer.from(hash.slice(2), 'hex'),
    );
  };

  return {
    async insert({ id, chainId, address, startedAt, submission }, maxWaiting) {
      const input = JSON.stringify(submission);
      return inTransaction(database, () => {
        if (unfinished.get(chainId, toBytes(address)) !== undefined) return 'duplicate';
        if ((countJobs.get()?.waiting ?? 0) >= maxWaiting) return 'queue_full';
        insertJob.run(id, chainId, toBytes(address), startedAt);
        insertInput.run(id, input);
        return 'inserted';
      });
    },
    async find(id) {
      const row = findJob.get(id);
      return row === undefined ? null : toRecord(row);
    },
    async claim({ owner, now, until }) {
      return inTransaction(database, () => {
        const row = claimJob.get(owner, now, until, now);
        const input = row === undefined ? undefined : readInput.get(row.id);
        return row === undefined || input === undefined ? null : toClaimed(row, input.input);
      });
    },
    async heartbeat(id, { owner, now, until }) {
      return prolong.run(now, until, id, owner).changes === 1;
    },
    async release(id, owner) {
      releaseJob.run(id, owner);
    },
    async requeueAll() {
      return requeue.run().changes;
    },
    async complete(id, owner, result, end) {
      return inTransaction(database, () => {
        const job = owned.get(id, owner);
        if (job === undefined) return 'lost';
        dropInput.run(id);
        if (result.kind === 'failed') {
          fail(id, result, end);
          return 'failed';
        }
        const stored = storeVerification(job.chain_id, toHex(job.address), result, end.now);
        if (stored === null) {
          fail(
            id,
            { kind: 'failed', failure: failure('already_verified'), bytecodes: bytecodesOf(result) },
            end,
          );
          return 'failed';
        }
        const { creation, runtime } = result.matches;
        const compilationMs = Math.round(result.compilationMs);
        finish.run(
          end.now,
          compilationMs,
          creation?.grade ?? null,
          runtime?.grade ?? null,
          stored.matchId,
          stored.verifiedAt,
          null,
          null,
          null,
          id,
        );
        return 'matched';
      });
    },
    async count() {
      return countJobs.get() ?? { waiting: 0, running: 0 };
    },
  };
}

function toClaimed(row: ClaimedRow, input: string): ClaimedJob {
  return {
    id: row.id,
    chainId: row.chain_id,
    address: toHex(row.address),
    startedAt: row.started_at,
    claims: row.claims,
    submission: readStoredSubmission(input),
  };
}

function toRecord(row: JobRow): JobRecord {
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
    compilationMs: row.compilation_ms === null ? null : Number(row.compilation_ms),
    match,
    error,
    bytecodes: {
      recompiledCreation: row.recompiled_creation_code,
      recompiledRuntime: row.recompiled_runtime_code,
      onchainCreation: row.onchain_creation_code,
      onchainRuntime: row.onchain_runtime_code,
      creationTransactionHash: bytesToHex(row.creation_transaction_hash),
    },
  };
}

function bytecodesOf(result: Extract<VerificationResult, { readonly kind: 'matched' }>): JobBytecodes {
  return {
    recompiledCreation: result.recompiledCreation,
    recompiledRuntime: result.recompiledRuntime,
    onchainCreation: result.creation?.creationCode ?? null,
    onchainRuntime: result.onchainRuntime,
    creationTransactionHash: result.creation?.transactionHash ?? null,
  };
}

function toBytes(address: Hex): Buffer {
  return Buffer.from(address.slice(2), 'hex');
}

function toBuffer(bytes: Uint8Array | null): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes);
}
