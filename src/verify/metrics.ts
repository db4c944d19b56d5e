import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RpcFailure } from './chain/json-rpc-client.ts';
import type { CompileStep } from './compile/compile-steps.ts';
import type { JobCompletions } from './jobs/queue/job-completions.ts';
import type { JobRepository } from './jobs/queue/job-repository.ts';

/** Figures of area A for `GET /metrics`. */
interface VerifyMetrics {
  /** Counts a finished job under its grade or error code. */
  jobFinished(outcome: string): void;
  /** Counts a compilation that was not needed: `kept` by an earlier run, or `shared` with one in flight. */
  compilationReused(how: 'kept' | 'shared'): void;
  /** Counts a call to a chain that failed: `unreachable`, `refused` or `wrong_chain`. */
  rpcFailed(chainId: string, reason: RpcFailure): void;
  /** Counts and times every run of a compiler. */
  readonly measureRuns: CompileStep;
}

const COMPILE_BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 100];

/** Registers the figures. */
export function createVerifyMetrics(
  registry: Registry,
  jobs: JobRepository,
  completions: JobCompletions,
): VerifyMetrics {
  const finished = new Counter({
    name: 'ledgerlens_verify_jobs_finished_total',
    help: 'Finished verification jobs, by outcome (match or error code)',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'ledgerlens_verify_compile_seconds',
    help: 'Compilation time, by end (compiled or error code)',
    labelNames: ['end'],
    buckets: COMPILE_BUCKETS_SECONDS,
    registers: [registry],
  });
  const reused = new Counter({
    name: 'ledgerlens_verify_compilations_reused_total',
    help: 'Compilations avoided, by reason (kept by an earlier run, shared with one in progress)',
    labelNames: ['how'],
    registers: [registry],
  });
  new Gauge({
    name: 'ledgerlens_verify_jobs',
    help: 'Unfinished verification jobs, by state',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const { waiting, running } = await jobs.count();
      this.set({ state: 'waiting' }, waiting);
      this.set({ state: 'running' }, running);
    },
  });
  new Gauge({
    name: 'ledgerlens_verify_waiting_requests',
    help: 'Status requests held until their job finishes',
    registers: [registry],
    collect() {
      this.set(completions.waiters);
    },
  });
  const rpcErrors = new Counter({
    name: 'ledgerlens_verify_rpc_errors_total',
    help: 'Failed calls to the nodes of a chain, by reason (unreachable, refused, wrong_chain)',
    labelNames: ['chain', 'reason'],
    registers: [registry],
  });
  return {
    rpcFailed: (chain, reason) => rpcErrors.inc({ chain, reason }),
    jobFinished: (outcome) => finished.inc({ outcome }),
    compilationReused: (how) => reused.inc({ how }),
    measureRuns: (next) => async (request) => {
      const outcome = await next(request);
      const end = outcome.kind === 'compiled' ? 'compiled' : outcome.failure.code;
      seconds.observe({ end }, outcome.milliseconds / 1000);
      return outcome;
    },
  };
}
