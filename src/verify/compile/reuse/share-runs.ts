import { failure } from '../../model/job-failure.ts';
import type { Compile, CompileStep } from '../compile-steps.ts';
import type { CompileOutcome, CompileRequest } from '../compiler.ts';
import { wallLimitMs } from '../cpu-time.ts';

/** What sharing takes. */
export interface ShareRunsParts {
  /** Time limit of a job that the message of `compiler_timeout` names, milliseconds. */
  readonly jobTimeoutMs: number;
  /** Told when a request joined a run that somebody else had begun. */
  readonly onJoin: () => void;
}

interface Run {
  readonly outcome: Promise<CompileOutcome>;
  readonly stop: AbortController;
  readonly timeoutMs: number;
  waiting: number;
}

/**
 * Runs equal requests that are in flight at the same moment once.
 *
 * Each waits with its own signal and its own time; the run itself is stopped when nobody waits any more. It has
 * the time of the request that began it: who has more begins anew when that was not enough.
 *
 * @see contracts/verification-api.md section 3.4
 */
export function shareRuns(parts: ShareRunsParts): CompileStep {
  return (next) => shared(next, parts);
}

function shared(next: Compile, { jobTimeoutMs, onJoin }: ShareRunsParts): Compile {
  const runs = new Map<string, Run>();

  const begin = (request: CompileRequest, key: string): Run => {
    const stop = new AbortController();
    const outcome = next({ ...request, signal: stop.signal }).finally(() => {
      if (runs.get(key) === run) runs.delete(key);
    });
    // Everybody may have left before it ends.
    outcome.catch(() => {});
    const run: Run = { outcome, stop, timeoutMs: request.timeoutMs, waiting: 0 };
    runs.set(key, run);
    return run;
  };

  const leave = (run: Run, key: string): void => {
    run.waiting -= 1;
    if (run.waiting > 0) return;
    // Who comes now must not join a run that is being stopped.
    if (runs.get(key) === run) runs.delete(key);
    run.stop.abort(new Error('No job is waiting for this compilation any longer'));
  };

  const follow = async (run: Run, { signal, timeoutMs }: CompileRequest, key: string) => {
    run.waiting += 1;
    let stopWaiting = () => {};
    const own = new Promise<CompileOutcome>((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      const data = { seconds: Math.ceil(jobTimeoutMs / 1000) };
      const tooLate = () =>
        resolve({ kind: 'failed', failure: failure('compiler_timeout', data), milliseconds: timeoutMs });
      const timer = timeoutMs < run.timeoutMs ? setTimeout(tooLate, wallLimitMs(timeoutMs)) : undefined;
      stopWaiting = () => {
        signal.removeEventListener('abort', onAbort);
        clearTimeout(timer);
      };
    });
    try {
      return await Promise.race([run.outcome, own]);
    } finally {
      stopWaiting();
      leave(run, key);
    }
  };

  return async (request) => {
    const key = request.resolved?.key ?? null;
    if (key === null) return next(request);
    for (;;) {
      request.signal.throwIfAborted();
      const joined = runs.get(key);
      if (joined === undefined) return follow(begin(request, key), request, key);
      onJoin();
      const outcome = await follow(joined, request, key);
      const isTimeout = outcome.kind === 'failed' && outcome.failure.code === 'compiler_timeout';
      if (!isTimeout || request.timeoutMs <= joined.timeoutMs) return outcome;
    }
  };
}
