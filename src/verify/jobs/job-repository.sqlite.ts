import { inTransaction, type SqliteDatabase } from '../../storage/sqlite.ts';
import { isPassingFault } from '../../storage/sqlite-faults.ts';
import { type Hex, toHex } from '../../values/hex.ts';
import { failure } from '../job-failure.ts';
import { GIVEN_UP_CRASHES, type JobEnd, type JobRepository } from './job-repository.ts';
import { type ClaimedRow, type JobRow, printWarnings, toClaimed, toRecord } from './job-row.sqlite.ts';
import { RecentSubmissions } from './recent-submissions.ts';
import { prepareStoreVerification } from './store-verification.sqlite.ts';
import { packSubmission, type StoredSubmission, unpackSubmission } from './stored-submission.ts';
import { type JobBytecodes, NO_BYTECODES, type VerificationResult } from './verification-result.ts';

/** Submissions that wait in memory as well, size of their texts. */
const MAX_RECENT_BYTES = 67_108_864;

/** A job under a lease. */
interface HeldRow {
  readonly id: string;
  readonly owner: string;
  readonly until: number;
  /** How many jobs its owner holds, this one included. */
  readonly held: number;
}

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
    `UPDATE verification_job SET lease_owner = ?, heartbeat_at = ?, lease_until = ? WHERE id = ?
     RETURNING id, chain_id, address, started_at, is_suspect, lone_crashes, warnings`,
  );
  const findSuspect = database.prepare<unknown[], { readonly id: string }>(
    `SELECT id FROM verification_job
     WHERE is_suspect = 1 AND finished_at IS NULL AND lease_owner IS NULL
       AND (lone_crashes <= ? OR lone_crashes >= ${GIVEN_UP_CRASHES})
     ORDER BY lone_crashes, started_at, id LIMIT 1`,
  );
  const findOldest = database.prepare<unknown[], { readonly id: string }>(
    `SELECT id FROM verification_job
     WHERE finished_at IS NULL AND lease_owner IS NULL AND is_suspect = 0
       AND chain_id NOT IN (SELECT value FROM json_each(?))
     ORDER BY started_at, id LIMIT 1`,
  );
  const readInput = database.prepare<unknown[], StoredSubmission>(
    'SELECT input, packed FROM verification_job_input WHERE job_id = ?',
  );
  const prolong = database.prepare(
    `UPDATE verification_job SET heartbeat_at = ?, lease_until = ?
     WHERE id = ? AND lease_owner = ? AND finished_at IS NULL`,
  );
  const releaseJob = database.prepare(
    `UPDATE verification_job SET lease_owner = NULL, lease_until = NULL
     WHERE id = ? AND lease_owner = ? AND finished_at IS NULL`,
  );
  const listHeld = database.prepare<unknown[], HeldRow>(
    `SELECT id, lease_owner AS owner, lease_until AS until, count(*) OVER (PARTITION BY lease_owner) AS held
     FROM verification_job WHERE finished_at IS NULL AND lease_owner IS NOT NULL`,
  );
  const suspect = database.prepare(
    `UPDATE verification_job SET lease_owner = NULL, lease_until = NULL, is_suspect = 1,
       lone_crashes = lone_crashes + ?
     WHERE id = ?`,
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
    async claim({ owner, now, until }, { exceptChains, isIdle, maxLoneCrashes }) {
      const take = () => {
        const first = findSuspect.get(maxLoneCrashes);
        if (first !== undefined && !isIdle) return undefined;
        const next = first ?? findOldest.get(JSON.stringify(exceptChains));
        return next === undefined ? undefined : claimJob.get(owner, now, until, next.id);
      };
      for (;;) {
        const row = inTransaction(database, take);
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
      const lost = () => listHeld.all().filter(({ owner, until }) => until < now || isGone(owner));
      // Nothing to take back is the rule, and does not wait for the write lock of an import.
      if (lost().length === 0) return 0;
      return inTransaction(database, () => {
        const rows = lost();
        // Only a job that ran alone is named by the death of its process.
        for (const { id, held } of rows) suspect.run(held === 1 ? 1 : 0, id);
        return rows.length;
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
