import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RpcFailure } from './chain/json-rpc-client.ts';
import type { CompileStep } from './compile/compile-steps.ts';
import type { JobCompletions } from './jobs/queue/job-completions.ts';
import type { JobRepository } from './jobs/queue/with-submissions.ts';

const COMPILE_BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 100];

/** Registers the figures of area A for `GET /metrics`. */
export function createVerifyMetrics(registry: Registry, jobs: JobRepository, completions: JobCompletions) {
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
  const measureRuns: CompileStep = (next) => async (request) => {
    const outcome = await next(request);
    const end = outcome.kind === 'compiled' ? 'compiled' : outcome.failure.code;
    seconds.observe({ end }, outcome.milliseconds / 1000);
    return outcome;
  };
  return {
    rpcFailed: (chain: string, reason: RpcFailure) => rpcErrors.inc({ chain, reason }),
    jobFinished: (outcome: string) => finished.inc({ outcome }),
    compilationReused: (how: 'kept' | 'shared') => reused.inc({ how }),
    measureRuns,
  };
}
