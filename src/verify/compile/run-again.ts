import type { RunLimits, RunResult } from './pool/compiler-thread.ts';

/** Repeats a run in another way, with the time that is left. The time of both counts. */
export async function runAgain(
  { milliseconds }: RunResult,
  { timeoutMs, signal }: RunLimits,
  run: (limits: RunLimits) => Promise<RunResult>,
): Promise<RunResult> {
  const again = await run({ timeoutMs: Math.max(1, timeoutMs - milliseconds), signal });
  return { ...again, milliseconds: milliseconds + again.milliseconds };
}
