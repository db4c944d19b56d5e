import { inTransaction, type SqliteDatabase } from '../../storage/sqlite.ts';
import { isPassingFault } from '../../storage/sqlite-faults.ts';
import { type Hex, toHex } from '../../values/hex.ts';
import { failure } from '../job-failure.ts';
import type { JobEnd, JobRepository } from './job-repository.ts';
import { type ClaimedRow, type JobRow, printWarnings, toClaimed, toRecord } from './job-row.sqlite.ts';
import { RecentSubmissions } from './recent-submissions.ts';
import { prepareStoreVerification } from './store-verification.sqlite.ts';
import { packSubmission, type StoredSubmission, unpackSubmission } from './stored-submission.ts';
import { type JobBytecodes, NO_BYTECODES, type VerificationResult } from './verification-result.ts';

/** Submissions that wait in memory as well, size of their texts. */
const MAX_RECENT_BYTES = 67_108_864;

/** The queue in SQLite. */
export function createSqliteJobRepository(database: SqliteDatabase): JobRepository {
  const storeVerification = prepareStoreVerification(database);
  const recent = new RecentSubmissions(MAX_RECENT_BYTES);
  const unfinished = database.prepare(
    'SELECT 1 FROM verification_job WHERE chain_id = ? AND address = ? AND finished_at IS NULL',
  );
  const countWaiting = database.prepare<unknown[], { readonly jobs: number; readonly bytes: number }>(
    `SELECT count(*) AS jobs, coalesce(sum(input_bytes), 0) AS bytes
     FROM verification_job WHERE finished_at IS NULL AND lease_owner IS NULL`,
  );
  const oldestWaiting = database
    .prepare(
      `SELECT started_at FROM verification_job WHERE finished_at IS NULL AND lease_owner IS NULL
       ORDER BY started_at LIMIT 1`,
    )
    .pluck();
  const countUnfinished = database.prepare<unknown[], { readonly jobs: number }>(
    'SELECT count(*) AS jobs FROM verification_job WHERE finished_at IS NULL',
  );
  const insertJob = database.prepare(
    `INSERT INTO verification_job (id, chain_id, address, started_at, warnings, input_bytes)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const insertInput = database.prepare(
    'INSERT INTO verification_job_input (job_id, input, packed) VALUES (?, ?, ?)',
  );
  const findJob = database
    .prepare<unknown[], JobRow>(
      `SELECT job.*, bytecode.*,
         CASE WHEN job.finished_at IS NULL AND job.lease_owner IS NULL THEN 1 + (
           SELECT count(*) FROM verification_job AS ahead
           WHERE ahead.finished_at IS NULL AND ahead.lease_owner IS NULL
             AND (ahead.started_at, ahead.id) < (job.started_at, job.id)) END AS queue_position
       FROM verification_job AS job
       LEFT JOIN verification_job_bytecode AS bytecode ON bytecode.job_id = job.id WHERE job.id = ?`,
    )
    .safeIntegers(true);
  const claimJob = database.prepare<unknown[], ClaimedRow>(
    `UPDATE verification_job SET claims = claims + 1, lease_owner = ?, heartbeat_at = ?, lease_until = ?
     WHERE id = (SELECT id FROM verification_job
       WHERE finished_at IS NULL AND (lease_until IS NULL OR lease_until < ?)
         AND chain_id NOT IN (SELECT value FROM json_each(?))
       ORDER BY started_at, id LIMIT 1)
     RETURNING id, chain_id, address, started_at, claims, warnings`,
  );
  const readInput = database.prepare<unknown[], StoredSubmission>(
    'SELECT input, packed FROM verification_job_input WHERE job_id = ?',
  );
  const prolong = database.prepare(
    `UPDATE verification_job SET heartbeat_at = ?, lease_until = ?
     WHERE id = ? AND lease_owner = ? AND finished_at IS NULL`,
  );
  const releaseJob = database.prepare(
    `UPDATE verification_job SET claims = claims - 1, lease_owner = NULL, lease_until = NULL
     WHERE id = ? AND lease_owner = ? AND finished_at IS NULL`,
  );
  const listOwners = database.prepare<unknown[], { readonly owner: string }>(
    `SELECT DISTINCT lease_owner AS owner FROM verification_job
     WHERE finished_at IS NULL AND lease_owner IS NOT NULL`,
  );
  const takeBackFrom = database.prepare(
    `UPDATE verification_job SET lease_owner = NULL, lease_until = NULL
     WHERE finished_at IS NULL AND lease_owner = ?`,
  );
  const takeBackEnded = database.prepare(
    `UPDATE verification_job SET lease_owner = NULL, lease_until = NULL
     WHERE finished_at IS NULL AND lease_until < ?`,
  );
  const findSubject = database.prepare<
    unknown[],
    { readonly chain_id: string; readonly address: Buffer; readonly finished_at: number | null }
  >('SELECT chain_id, address, finished_at FROM verification_job WHERE id = ?');
  const owned = database.prepare<unknown[], { readonly chain_id: string; readonly address: Buffer }>(
    'SELECT chain_id, address FROM verification_job WHERE id = ? AND lease_owner = ? AND finished_at IS NULL',
  );
  const finish = database.prepare(
    `UPDATE verification_job SET finished_at = ?, lease_owner = NULL, lease_until = NULL, compilation_ms = ?,
       creation_match = ?, runtime_match = ?, match_id = ?, verified_at = ?,
       error_code = ?, error_id = ?, error_data = ?
     WHERE id = ?`,
  );
  const setWarnings = database.prepare('UPDATE verification_job SET warnings = ? WHERE id = ?');
  const dropInput = database.prepare('DELETE FROM verification_job_input WHERE job_id = ?');
  const insertBytecodes = database.prepare(
    `INSERT INTO verification_job_bytecode (job_id, recompiled_creation_code, recompiled_runtime_code,
       onchain_creation_code, onchain_runtime_code, creation_transaction_hash, stored_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const dropBytecodes = database.prepare(
    `DELETE FROM verification_job_bytecode WHERE job_id IN (
       SELECT job_id FROM verification_job_bytecode WHERE stored_at < ? ORDER BY stored_at LIMIT ?)`,
  );

  const fail = (
    id: string,
    result: Extract<VerificationResult, { readonly kind: 'failed' }>,
    end: JobEnd,
  ) => {
    const { code, data } = result.failure;
    const errorData = data === null ? null : JSON.stringify(data);
    finish.run(end.now, null, null, null, null, null, code, end.errorId, errorData, id);
    if (Object.values(result.bytecodes).every((each) => each === null)) return;
    const { recompiledCreation, recompiledRuntime, onchainCreation, onchainRuntime } = result.bytecodes;
    const hash = result.bytecodes.creationTransactionHash;
    insertBytecodes.run(
      id,
      toBuffer(recompiledCreation),
      toBuffer(recompiledRuntime),
      toBuffer(onchainCreation),
      toBuffer(onchainRuntime),
      hash === null ? null : Buffer.from(hash.slice(2), 'hex'),
      end.now,
    );
  };

  return {
    async insert({ id, chainId, address, startedAt, submission, warnings }, limits) {
      const { input, packed, bytes } = await packSubmission(submission);
      const outcome = inTransaction(database, () => {
        if (unfinished.get(chainId, toBytes(address)) !== undefined) return 'duplicate';
        const waiting = countWaiting.get() ?? { jobs: 0, bytes: 0 };
        if (waiting.jobs >= limits.jobs) return 'too_many_jobs';
        if (waiting.jobs > 0 && waiting.bytes + bytes > limits.bytes) return 'too_many_bytes';
        insertJob.run(id, chainId, toBytes(address), startedAt, printWarnings(warnings), bytes);
        insertInput.run(id, input, packed);
        return 'inserted';
      });
      if (outcome === 'inserted') recent.keep(id, submission, bytes);
      return outcome;
    },
    async hasUnfinished(chainId, address) {
      return unfinished.get(chainId, toBytes(address)) !== undefined;
    },
    async find(id) {
      const row = findJob.get(id);
      return row === undefined ? null : toRecord(row);
    },
    async claim({ owner, now, until }, exceptChains = []) {
      for (;;) {
        const row = claimJob.get(owner, now, until, now, JSON.stringify(exceptChains));
        if (row === undefined) return null;
        const known = recent.take(row.id);
        if (known !== null) return toClaimed(row, known);
        const stored = readInput.get(row.id);
        if (stored !== undefined) return toClaimed(row, await unpackSubmission(stored));
        // Another process has cancelled it since; the next one waits behind it.
      }
    },
    async heartbeat(id, { owner, now, until }) {
      return prolong.run(now, until, id, owner).changes === 1;
    },
    async release(id, owner) {
      releaseJob.run(id, owner);
    },
    async takeBack(isGone, now) {
      // A start with nothing to take back does not wait for the write lock of an import.
      if (listOwners.get() === undefined) return 0;
      return inTransaction(database, () => {
        const gone = listOwners.all().filter(({ owner }) => isGone(owner));
        const ended = takeBackEnded.run(now).changes;
        return gone.reduce((sum, { owner }) => sum + takeBackFrom.run(owner).changes, ended);
      });
    },
    async cancel(id, end) {
      return inTransaction(database, () => {
        const row = findSubject.get(id);
        if (row === undefined) return { kind: 'unknown' };
        if (row.finished_at !== null) return { kind: 'finished' };
        dropInput.run(id);
        recent.take(id);
        fail(id, { kind: 'failed', failure: failure('job_cancelled'), bytecodes: NO_BYTECODES }, end);
        return { kind: 'cancelled', job: { id, chainId: row.chain_id, address: toHex(row.address) } };
      });
    },
    async complete(id, owner, result, end) {
      return inTransaction(database, () => {
        const job = owned.get(id, owner);
        if (job === undefined) return 'lost';
        dropInput.run(id);
        setWarnings.run(printWarnings(end.warnings), id);
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
    async oldestWaiting() {
      return (oldestWaiting.get() as number | undefined) ?? null;
    },
    async count() {
      const waiting = countWaiting.get()?.jobs ?? 0;
      return { waiting, running: (countUnfinished.get()?.jobs ?? 0) - waiting };
    },
    isPassingFault,
    async dropBytecodes(before, limit) {
      return dropBytecodes.run(before, limit).changes;
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
