import { prepareSelect, type Sql } from '../../../storage/sql/sql.ts';
import type { Writer } from '../../../storage/writer/writer.ts';
import { type Hex, toBytes } from '../../../values/hex.ts';
import { heldBytesOf, type PackedSubmission, type StoredSubmission } from '../../model/submission.ts';
import { keepCodes, type VerificationResult } from '../results/verification-result.ts';
import {
  type ClaimRule,
  JOB_RECORD,
  type JobEnd,
  type Lease,
  type NewJob,
  type QueueLimits,
  UNFINISHED_JOB,
} from './job-repository.ts';
import type { JobWrites } from './job-writes.sql.ts';
import { takeLargeSources } from './large-sources.ts';

/** A server that stops does not wait for long: the lease ends by itself. */
const FAREWELL_MS = 2_000;
/** Compiled code, interface and documentation are smaller than this unless the sources are large. */
const USUAL_RESULT_BYTES = 1_048_576;

export type JobStore = ReturnType<typeof createJobStore>;

/**
 * The durable queue of verifications: reads on the database, writes through the writer. Every method is one transaction.
 * Submissions go in packed, and are read by themselves.
 *
 * @see contracts/verification-api.md section 3.4
 */
export function createJobStore(sql: Sql, writer: Writer<JobWrites>) {
  const unfinished = sql.prepare(
    'SELECT 1 FROM verification_job WHERE chain_id = ? AND address = ? AND finished_at IS NULL',
  );
  const isUnfinished = sql.prepare('SELECT 1 FROM verification_job WHERE id = ? AND finished_at IS NULL');
  const oldestWaiting = sql.prepareValue(
    `SELECT started_at FROM verification_job WHERE finished_at IS NULL AND lease_owner IS NULL
     ORDER BY started_at LIMIT 1`,
  );
  // In one statement: a job that is claimed meanwhile counts once.
  const countJobs = sql.prepare<unknown[], { readonly waiting: number; readonly unfinished: number }>(
    `SELECT (SELECT count(*) FROM verification_job WHERE finished_at IS NULL AND lease_owner IS NULL) AS waiting,
       (SELECT count(*) FROM verification_job WHERE finished_at IS NULL) AS unfinished`,
  );
  const findJob = prepareSelect(
    sql,
    JOB_RECORD,
    `FROM verification_job AS job
     LEFT JOIN verification_job_bytecode AS bytecode ON bytecode.job_id = job.id WHERE job.id = ?`,
  );
  const listUnfinished = prepareSelect(
    sql,
    UNFINISHED_JOB,
    `FROM verification_job AS job
     WHERE finished_at IS NULL ORDER BY lease_owner IS NULL, turn, started_at, id`,
  );
  const readInput = sql.prepare<unknown[], StoredSubmission>(
    'SELECT input, packed FROM verification_job_input WHERE job_id = ?',
  );
  const listHolders = sql.prepare<unknown[], { readonly owner: string; readonly until: number }>(
    `SELECT lease_owner AS owner, min(lease_until) AS until FROM verification_job
     WHERE finished_at IS NULL AND lease_owner IS NOT NULL GROUP BY lease_owner`,
  );

  return {
    /** Whether processes of several hosts may work on the jobs, which may share their names. */
    spansHosts: sql.dialect.name === 'postgres',
    /** Stores a job unless the address has an unfinished one or too much waits already. */
    async insert(inserted: NewJob & { readonly submission: PackedSubmission }, limits: QueueLimits) {
      const { id, chainId, address, client = null, startedAt, submission, warnings } = inserted;
      const { bytes, input, packed } = submission;
      const stored = { input, packed };
      const job = { id, chainId, address, client, startedAt, warnings, stored, bytes, limits };
      return writer.write('insert', job, {
        bytes: heldBytesOf(stored),
        transfer: ownMemory(packed),
      });
    },
    hasUnfinished: sql.reading(function* (chainId: string, address: Hex) {
      return (yield* unfinished.get(chainId, toBytes(address))) !== undefined;
    }),
    /** Whether a job waits or runs. Cheap, unlike `find`, which counts the jobs ahead of one that waits. */
    isUnfinished: sql.reading(function* (id: string) {
      return (yield* isUnfinished.get(id)) !== undefined;
    }),
    find: async (id: string) => sql.read(() => findJob.find(id)),
    /**
     * Takes the next job that no process holds: suspects before all others, then each client in turn, its oldest first.
     *
     * @returns null when there is none, and when a suspect waits for this process to be idle.
     */
    claim: (lease: Lease, rule: ClaimRule) => writer.write('claim', { ...lease, ...rule }),
    /** Null once the job has ended. */
    submissionOf: sql.reading(function* (id: string) {
      return (yield* readInput.get(id)) ?? null;
    }),
    /** Prolongs a lease. @returns false when the owner has lost it. */
    heartbeat: (id: string, lease: Lease) => writer.write('heartbeat', { id, ...lease }),
    /** Gives a job back without suspicion: the process stops in order. */
    release: (id: string, owner: string) =>
      writer.write('release', { id, owner }, { patienceMs: FAREWELL_MS }),
    /**
     * Makes the jobs available again whose lease has ended or whose holder is gone, as suspects; those of other living
     * processes stay theirs. A job that its holder ran alone has one lone crash more.
     *
     * @param isGone by the holder and the time at which the first of its leases ends
     * @returns how many.
     */
    takeBack: sql.reading(function* (isGone: (owner: string, until: number) => boolean, now: number) {
      const holders = yield* listHolders.all();
      const gone = holders.filter(({ owner, until }) => isGone(owner, until)).map(({ owner }) => owner);
      // Nothing to take back is the rule, and does not wait for the write lock of an import.
      if (gone.length === 0 && holders.every(({ until }) => until >= now)) return 0;
      return writer.write('takeBack', { gone, now });
    }),
    /**
     * Ends an unfinished job as `job_cancelled`; from then on no result of it is stored.
     *
     * @param which `unlessRuns` leaves a job alone that is claimed.
     */
    cancel: (id: string, end: JobEnd, { unlessRuns = false }: { readonly unlessRuns?: boolean } = {}) =>
      writer.write('cancel', { id, end, unlessRuns }),
    /**
     * Ends a job: contract, match, bytecodes and job row in one transaction. A result that is not better than the stored
     * one ends as `already_verified`.
     *
     * @see contracts/verification-api.md section 9
     */
    async complete(
      id: string,
      owner: string,
      whole: VerificationResult,
      { warnings, ...end }: JobEnd & { readonly warnings: readonly string[] },
    ) {
      const { result, notes } = withKeptCodes(whole);
      const taken = await takeLargeSources(result);
      const { rest, sources } = taken ?? { rest: result, sources: [] };
      const transfer = sources.map(([, content]) => content.buffer);
      const job = {
        id,
        owner,
        result: withoutAssembly(rest),
        sources,
        end: { ...end, warnings: [...warnings, ...notes] },
      };
      return writer.write('complete', job, { bytes: sizeOf(result), transfer });
    },
    /** When the job that waits longest was submitted, milliseconds since the epoch; null when none waits. */
    oldestWaiting: sql.reading(function* () {
      return ((yield* oldestWaiting.get()) as number | undefined) ?? null;
    }),
    /** Those that run, then those that wait in their order. */
    unfinished: async () => sql.read(() => listUnfinished.all()),
    /** Jobs that wait for a claim, and jobs under a lease. */
    async count() {
      const { unfinished, waiting } = (await sql.read(() => countJobs.get())) ?? {
        unfinished: 0,
        waiting: 0,
      };
      return { waiting, running: unfinished - waiting };
    },
    /**
     * Drops the bytecodes of jobs that failed before a time; the job records stay.
     *
     * @param limit rows that one call drops at most.
     * @returns how many were dropped.
     */
    dropBytecodes: (before: number, limit: number) => writer.write('dropBytecodes', { before, limit }),
  };
}

/** Before the record is sent to another thread. */
function withKeptCodes(result: VerificationResult) {
  if (result.kind !== 'failed') return { result, notes: [] };
  const { bytecodes, notes } = keepCodes(result.bytecodes);
  return { result: { ...result, bytecodes }, notes };
}

/** The assembly is large, read before and never stored. */
function withoutAssembly(result: VerificationResult): VerificationResult {
  if (result.kind === 'failed') return result;
  return { ...result, compilation: { ...result.compilation, assembly: [] } };
}

function sizeOf(result: VerificationResult): number {
  if (result.kind === 'failed') return USUAL_RESULT_BYTES;
  const sources = Object.values(result.compilation.input.sources);
  return sources.reduce((sum, { content }) => sum + content.length, USUAL_RESULT_BYTES);
}

/** The memory of large bytes, unless they share it with others. */
function ownMemory(bytes: Uint8Array | null): readonly ArrayBuffer[] {
  if (bytes === null || !(bytes.buffer instanceof ArrayBuffer)) return [];
  return bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : [];
}
