import { insertText, prepareRecords, type Sql, setText } from '../../../storage/sql/sql.ts';
import { toBytes, toHex } from '../../../values/hex.ts';
import type { Work } from '../../../values/work.ts';
import { failure } from '../../model/job-failure.ts';
import type { StoredSubmission } from '../../model/submission.ts';
import { prepareStoreVerification } from '../results/store-verification.sql.ts';
import {
  type JobBytecodes,
  keepCodes,
  NO_BYTECODES,
  type VerificationResult,
} from '../results/verification-result.ts';
import {
  type CancelOutcome,
  type ClaimRule,
  type CompletionOutcome,
  type FullQueue,
  GIVEN_UP_CRASHES,
  type InsertOutcome,
  JOB,
  JOB_BYTECODES,
  JOB_OUTCOME,
  JOB_WARNINGS,
  type JobEnd,
  type Lease,
  type NewJob,
  type QueueLimits,
  TAKEN_JOB,
  type TakenJob,
} from './job-repository.ts';
import { putLargeSources, type SourceBytes } from './large-sources.ts';

/** A job under a lease. */
interface HeldRow {
  readonly id: string;
  readonly owner: string;
  /** When its owner last showed to live. */
  readonly since: number;
  readonly until: number;
  /** How many jobs its owner holds, this one included. */
  readonly held: number;
  /** When the last of their leases ends. */
  readonly last: number;
}

/** What waits, and how much of it is of one client. */
interface WaitingRow {
  readonly jobs: number;
  readonly bytes: number;
  readonly own_jobs: number;
  readonly own_bytes: number;
  /** The last one of its own; null when none waits. */
  readonly own_turn: number | null;
}

const NOTHING_WAITS: WaitingRow = { jobs: 0, bytes: 0, own_jobs: 0, own_bytes: 0, own_turn: null };

/** A job that may be claimed. */
interface NextRow {
  readonly id: string;
  readonly client: string | null;
}

/** A job as its rows hold it. */
interface InsertedJob extends Omit<NewJob, 'client' | 'submission'> {
  readonly client: string | null;
  readonly stored: StoredSubmission;
  /** Size of the submission as text. */
  readonly bytes: number;
  readonly limits: QueueLimits;
}

type Failed = Extract<VerificationResult, { readonly kind: 'failed' }>;

export type JobWrites = ReturnType<typeof jobWrites>;

/** Everything that is written of jobs; each is called inside a transaction of its own. */
export function jobWrites(sql: Sql) {
  const storeVerification = prepareStoreVerification(sql);
  const { eachText, forUpdate, forUpdateOfFree, inTurnOf, textList } = sql.dialect;
  const takeTurnOf = sql.prepare(inTurnOf);
  const unfinished = sql.prepare(
    'SELECT 1 FROM verification_job WHERE chain_id = ? AND address = ? AND finished_at IS NULL',
  );
  const countWaiting = sql.prepare<unknown[], WaitingRow>(
    `SELECT count(*) AS jobs, coalesce(sum(input_bytes), 0) AS bytes,
       count(*) FILTER (WHERE client = @client) AS own_jobs,
       coalesce(sum(input_bytes) FILTER (WHERE client = @client), 0) AS own_bytes,
       max(turn) FILTER (WHERE client = @client) AS own_turn
     FROM verification_job WHERE finished_at IS NULL AND lease_owner IS NULL`,
  );
  // No job that was claimed ever leaves the table, nor its heartbeat, so this never goes back.
  const findClaimedTurn = sql.prepare<unknown[], { readonly turn: number }>(
    'SELECT coalesce(max(turn), 0) AS turn FROM verification_job WHERE heartbeat_at IS NOT NULL',
  );
  // Seldom one: other replicas pass over all jobs of the client while they are lined up.
  const findBehind = sql.prepare(
    `SELECT id FROM verification_job
     WHERE client = @client AND finished_at IS NULL AND lease_owner IS NULL AND turn <= @claimed
     LIMIT 1 ${forUpdateOfFree}`,
  );
  // A job that is claimed at this moment is left where it is.
  const lineUp = sql.prepare(
    `UPDATE verification_job SET turn = own.turn FROM (
       SELECT id, @claimed + row_number() OVER (ORDER BY turn, started_at, id) AS turn FROM (
         SELECT id, turn, started_at FROM verification_job
         WHERE client = @client AND finished_at IS NULL AND lease_owner IS NULL ${forUpdateOfFree}) AS free) AS own
     WHERE verification_job.id = own.id AND verification_job.turn <> own.turn`,
  );
  const closeUp = sql.prepare(
    `UPDATE verification_job SET turn = turn - 1 WHERE id IN (
       SELECT id FROM verification_job
       WHERE client = ? AND turn > ? AND finished_at IS NULL AND lease_owner IS NULL ${forUpdateOfFree})`,
  );
  const insertJob = sql.prepare(
    `${insertText('verification_job', [...JOB.columns, 'input_bytes', 'client', 'turn'])}
     ON CONFLICT (chain_id, address) WHERE finished_at IS NULL DO NOTHING`,
  );
  const insertInput = sql.prepare(
    'INSERT INTO verification_job_input (job_id, input, packed) VALUES (?, ?, ?)',
  );
  const claimJob = prepareRecords(
    sql,
    TAKEN_JOB,
    `UPDATE verification_job SET lease_owner = ?, heartbeat_at = ?, lease_until = ? WHERE id = ?
     RETURNING ${TAKEN_JOB.columns.join(', ')}`,
  );
  const suspects = (lock: string) =>
    sql.prepare<unknown[], NextRow>(
      `SELECT id, client FROM verification_job
       WHERE is_suspect = 1 AND finished_at IS NULL AND lease_owner IS NULL
         AND (lone_crashes <= ? OR lone_crashes >= ${GIVEN_UP_CRASHES})
       ORDER BY lone_crashes, started_at, id LIMIT 1 ${lock}`,
    );
  const seeSuspect = suspects('');
  const findSuspect = suspects(forUpdateOfFree);
  const findNext = sql.prepare<unknown[], NextRow>(
    `SELECT id, client FROM verification_job
     WHERE finished_at IS NULL AND lease_owner IS NULL AND is_suspect = 0
       AND chain_id NOT IN (SELECT value FROM ${eachText('crowded')})
     ORDER BY turn, started_at, id LIMIT 1 ${forUpdateOfFree}`,
  );
  const prolong = sql.prepare(
    `UPDATE verification_job SET heartbeat_at = ?, lease_until = ?
     WHERE id = ? AND lease_owner = ? AND finished_at IS NULL`,
  );
  const releaseJob = sql.prepare(
    `UPDATE verification_job SET lease_owner = NULL, lease_until = NULL
     WHERE id = ? AND lease_owner = ? AND finished_at IS NULL`,
  );
  const listHeld = sql.prepare<unknown[], HeldRow>(
    `SELECT id, lease_owner AS owner, heartbeat_at AS since, lease_until AS until,
       count(*) OVER (PARTITION BY lease_owner) AS held, max(lease_until) OVER (PARTITION BY lease_owner) AS last
     FROM verification_job WHERE finished_at IS NULL AND lease_owner IS NOT NULL ORDER BY id`,
  );
  const suspect = sql.prepare(
    `UPDATE verification_job SET lease_owner = NULL, lease_until = NULL, is_suspect = 1,
       lone_crashes = lone_crashes + ?
     WHERE id = ? AND lease_owner = ? AND lease_until = ? AND finished_at IS NULL`,
  );
  const findSubject = sql.prepare<
    unknown[],
    {
      readonly chain_id: string;
      readonly address: Buffer;
      readonly finished_at: number | null;
      readonly lease_owner: string | null;
      readonly client: string | null;
      readonly turn: number;
    }
  >(
    `SELECT chain_id, address, finished_at, lease_owner, client, turn
     FROM verification_job WHERE id = ? ${forUpdate}`,
  );
  const owned = sql.prepare<unknown[], { readonly chain_id: string; readonly address: Buffer }>(
    `SELECT chain_id, address FROM verification_job
     WHERE id = ? AND lease_owner = ? AND finished_at IS NULL ${forUpdate}`,
  );
  const finish = sql.prepare(
    `UPDATE verification_job SET ${setText(JOB_OUTCOME.columns)}, client = NULL, lease_owner = NULL, lease_until = NULL
     WHERE id = @id`,
  );
  const setWarnings = sql.prepare('UPDATE verification_job SET warnings = @warnings WHERE id = @id');
  const dropInput = sql.prepare('DELETE FROM verification_job_input WHERE job_id = ?');
  const insertBytecodes = sql.prepare(
    insertText('verification_job_bytecode', ['job_id', ...JOB_BYTECODES.columns, 'stored_at']),
  );
  const dropBytecodes = sql.prepare(
    `DELETE FROM verification_job_bytecode WHERE job_id IN (
       SELECT job_id FROM verification_job_bytecode WHERE stored_at < ? ORDER BY stored_at LIMIT ?)`,
  );

  function* claimedTurn(): Work<number> {
    return (yield* findClaimedTurn.get())?.turn ?? 0;
  }

  function* fail(id: string, { failure: ended, bytecodes }: Failed, { errorId, now }: JobEnd): Work<void> {
    const error = { ...ended, id: errorId };
    const outcome = JOB_OUTCOME.write({ finishedAt: now, compilationMs: null, match: null, error });
    yield* finish.run({ id, ...outcome });
    if (Object.values(bytecodes).every((each) => each === null)) return;
    yield* insertBytecodes.run({ job_id: id, ...JOB_BYTECODES.write(bytecodes), stored_at: now });
  }

  return {
    *insert({ bytes, client, limits, stored, ...job }: InsertedJob): Work<InsertOutcome> {
      const { address, chainId, id } = job;
      if ((yield* unfinished.get(chainId, toBytes(address))) !== undefined) return 'duplicate';
      if (client !== null) yield* takeTurnOf.get(`verification_job ${client}`);
      const waiting = (yield* countWaiting.get({ client })) ?? NOTHING_WAITS;
      const noPlace = noPlaceFor(bytes, waiting, limits);
      if (noPlace !== null) return noPlace;
      // Those of its own that run or have ended are among the claimed ones.
      const turn = Math.max(yield* claimedTurn(), waiting.own_turn ?? 0) + 1;
      const row = { ...JOB.write(job), input_bytes: bytes, client, turn };
      // Another replica may have been first since the look.
      if ((yield* insertJob.run(row)).changes === 0) return 'duplicate';
      yield* insertInput.run(id, stored.input, toBuffer(stored.packed));
      yield* sql.announce('job-waits', chainId);
      return 'inserted';
    },
    *claim({
      exceptChains,
      isIdle,
      maxLoneCrashes,
      now,
      owner,
      until,
    }: Lease & ClaimRule): Work<TakenJob | null> {
      // Who is busy must not lock what an idle replica may take at this moment.
      const first = yield* (isIdle ? findSuspect : seeSuspect).get(maxLoneCrashes);
      if (first !== undefined && !isIdle) return null;
      const next = first ?? (yield* findNext.get(textList(exceptChains)));
      if (next === undefined) return null;
      const job = yield* claimJob.find(owner, now, until, next.id);
      // What could not be claimed for long, as with a chain that does not answer, has saved up no turns.
      if (next.client !== null) {
        const own = { claimed: yield* claimedTurn(), client: next.client };
        if ((yield* findBehind.get(own)) !== undefined) yield* lineUp.run(own);
      }
      return job;
    },
    *heartbeat({ id, owner, now, until }: Lease & { readonly id: string }): Work<boolean> {
      return (yield* prolong.run(now, until, id, owner)).changes === 1;
    },
    *release({ id, owner }: { readonly id: string; readonly owner: string }): Work<void> {
      yield* releaseJob.run(id, owner);
      yield* sql.announce('job-waits');
    },
    /** @param gone owners that are surely gone. */
    *takeBack({ gone, now }: { readonly gone: readonly string[]; readonly now: number }): Work<number> {
      const lost = (yield* listHeld.all()).filter((each) => gone.includes(each.owner) || hasEnded(each, now));
      // Only a job that ran alone is named by the death of its process.
      let taken = 0;
      for (const { held, id, owner, until } of lost) {
        // Another replica may have taken it back since the look: a crash counts once.
        taken += (yield* suspect.run(held === 1 ? 1 : 0, id, owner, until)).changes;
      }
      if (taken > 0) yield* sql.announce('job-waits');
      return taken;
    },
    *cancel({ end, id, unlessRuns }: CancelledJob): Work<CancelOutcome> {
      const row = yield* findSubject.get(id);
      if (row === undefined) return { kind: 'unknown' };
      if (row.finished_at !== null) return { kind: 'finished' };
      if (row.lease_owner === null) yield* closeUp.run(row.client, row.turn);
      else if (unlessRuns) return { kind: 'running' };
      yield* dropInput.run(id);
      yield* fail(id, { kind: 'failed', failure: failure('job_cancelled'), bytecodes: NO_BYTECODES }, end);
      yield* sql.announce('job-ended', id);
      return { kind: 'cancelled', job: { id, chainId: row.chain_id, address: toHex(row.address) } };
    },
    *complete({ end, id, owner, result: rest, sources }: CompletedJob): Work<CompletionOutcome> {
      const job = yield* owned.get(id, owner);
      if (job === undefined) return 'lost';
      const result = sources.length === 0 ? rest : putLargeSources(rest, sources);
      yield* sql.announce('job-ended', id);
      yield* dropInput.run(id);
      yield* setWarnings.run({ id, ...JOB_WARNINGS.write(end) });
      if (result.kind === 'failed') {
        yield* fail(id, result, end);
        return 'failed';
      }
      const stored = yield* storeVerification(job.chain_id, toHex(job.address), result, end.now);
      if (stored === null) {
        const { bytecodes, notes } = keepCodes(bytecodesOf(result));
        const warnings = [...end.warnings, ...notes];
        yield* setWarnings.run({ id, ...JOB_WARNINGS.write({ warnings }) });
        yield* fail(id, { kind: 'failed', failure: failure('already_verified'), bytecodes }, end);
        return 'failed';
      }
      const { creation, runtime } = result.matches;
      const outcome = JOB_OUTCOME.write({
        finishedAt: end.now,
        compilationMs: Math.round(result.compilationMs),
        match: { creation: creation?.grade ?? null, runtime: runtime?.grade ?? null, ...stored },
        error: null,
      });
      yield* finish.run({ id, ...outcome });
      return 'matched';
    },
    *dropBytecodes({ before, limit }: { readonly before: number; readonly limit: number }): Work<number> {
      return (yield* dropBytecodes.run(before, limit)).changes;
    },
  };
}

/** With its new job a client has no more places, and no more bytes, than it leaves free; its first job needs room alone. */
function noPlaceFor(bytes: number, waiting: WaitingRow, limits: QueueLimits): FullQueue | null {
  if (waiting.jobs === 0) return limits.jobs > 0 ? null : 'too_many_jobs';
  // What is left beside the new job.
  const [freeJobs, freeBytes] = [limits.jobs - waiting.jobs - 1, limits.bytes - waiting.bytes - bytes];
  if (freeJobs < 0) return 'too_many_jobs';
  if (freeBytes < 0) return 'too_many_bytes';
  if (waiting.own_jobs === 0) return null;
  const leavesEnough = waiting.own_jobs + 1 <= freeJobs && waiting.own_bytes + bytes <= freeBytes;
  return leavesEnough ? null : 'too_many_of_client';
}

/**
 * Whether a lease has ended for good.
 *
 * The jobs of an owner that died are taken back together, with the last of their leases, or the last one would seem to
 * have run alone. A job that its owner has forgotten waits for as long again.
 */
function hasEnded({ last, since, until }: HeldRow, now: number): boolean {
  return last < now || until + (until - since) < now;
}

interface CancelledJob {
  readonly id: string;
  readonly end: JobEnd;
  /** Whether a job that runs is left alone. */
  readonly unlessRuns: boolean;
}

/** A job that its owner has brought to an end. */
interface CompletedJob {
  readonly id: string;
  readonly owner: string;
  readonly result: VerificationResult;
  /** Those that were taken out of the result. */
  readonly sources: SourceBytes;
  readonly end: JobEnd & { readonly warnings: readonly string[] };
}

function bytecodesOf(result: Extract<VerificationResult, { readonly kind: 'matched' }>): JobBytecodes {
  return {
    recompiledCreation: result.recompiledCreation,
    recompiledRuntime: result.recompiledRuntime,
    onchainCreation: result.creation?.creationCode ?? null,
    onchainRuntime: result.onchainRuntime,
    creationTransactionHash: result.creation?.transactionHash ?? null,
    recompiledSettings: null,
  };
}

function toBuffer(bytes: Uint8Array | null): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
