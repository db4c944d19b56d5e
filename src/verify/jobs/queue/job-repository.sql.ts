import { prepareSelect } from '../../../storage/sql/row-table.ts';
import type { Sql } from '../../../storage/sql/sql.ts';
import type { Writer } from '../../../storage/writer/writer.ts';
import { toBytes } from '../../../values/hex.ts';
import type { StoredSubmission } from '../../model/submission.ts';
import { keepCodes, type VerificationResult } from '../results/verification-result.ts';
import { JOB_RECORD, type JobStore, UNFINISHED_JOB } from './job-repository.ts';
import type { JobWrites } from './job-writes.sql.ts';
import { takeLargeSources } from './large-sources.ts';

/** A server that stops does not wait for long: the lease ends by itself. */
const FAREWELL_MS = 2_000;
/** Compiled code, interface and documentation are smaller than this unless the sources are large. */
const USUAL_RESULT_BYTES = 1_048_576;

/** The queue: reads on the database, writes through the writer. */
export function createJobStore(sql: Sql, writer: Writer<JobWrites>): JobStore {
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
    spansHosts: sql.dialect.name === 'postgres',
    async insert({ id, chainId, address, client = null, startedAt, submission, warnings }, limits) {
      const { bytes, input, packed } = submission;
      const stored = { input, packed };
      const job = { id, chainId, address, client, startedAt, warnings, stored, bytes, limits };
      return writer.write('insert', job, {
        bytes: packed?.byteLength ?? bytes,
        transfer: ownMemory(packed),
      });
    },
    hasUnfinished: sql.reading(function* (chainId, address) {
      return (yield* unfinished.get(chainId, toBytes(address))) !== undefined;
    }),
    isUnfinished: sql.reading(function* (id) {
      return (yield* isUnfinished.get(id)) !== undefined;
    }),
    find: async (id) => sql.read(() => findJob.find(id)),
    claim: (lease, rule) => writer.write('claim', { ...lease, ...rule }),
    submissionOf: sql.reading(function* (id) {
      return (yield* readInput.get(id)) ?? null;
    }),
    heartbeat: (id, lease) => writer.write('heartbeat', { id, ...lease }),
    release: (id, owner) => writer.write('release', { id, owner }, { patienceMs: FAREWELL_MS }),
    takeBack: sql.reading(function* (isGone, now) {
      const holders = yield* listHolders.all();
      const gone = holders.filter(({ owner, until }) => isGone(owner, until)).map(({ owner }) => owner);
      // Nothing to take back is the rule, and does not wait for the write lock of an import.
      if (gone.length === 0 && holders.every(({ until }) => until >= now)) return 0;
      return writer.write('takeBack', { gone, now });
    }),
    cancel: (id, end, { unlessRuns = false } = {}) => writer.write('cancel', { id, end, unlessRuns }),
    async complete(id, owner, whole, { warnings, ...end }) {
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
    oldestWaiting: sql.reading(function* () {
      return ((yield* oldestWaiting.get()) as number | undefined) ?? null;
    }),
    unfinished: async () => sql.read(() => listUnfinished.all()),
    async count() {
      const { unfinished, waiting } = (await sql.read(() => countJobs.get())) ?? {
        unfinished: 0,
        waiting: 0,
      };
      return { waiting, running: unfinished - waiting };
    },
    dropBytecodes: (before, limit) => writer.write('dropBytecodes', { before, limit }),
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
