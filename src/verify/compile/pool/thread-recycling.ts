import type { CompilerThread } from './compiler-thread.ts';

/** When threads are ended although their compiler is still warm. */
export interface RecyclingLimits {
  /** A compiler never gives memory back, so one that took more than this is not kept. Bytes. */
  readonly threadBytes: number;
  /** Tasks of one thread. */
  readonly runs: number;
  /** Memory of the whole process. Above it the thread that worked last is not kept. Bytes. */
  readonly processBytes: number;
  /** A process that stays above its limit loses no more than one thread in this time. Milliseconds. */
  readonly processPauseMs: number;
}

const MIB = 1_048_576;

/** Fits compilers of today: a large project through the IR takes 60 to 150 MiB. */
export function defaultRecyclingLimits(workers: number): RecyclingLimits {
  return {
    threadBytes: 256 * MIB,
    runs: 1000,
    processBytes: (400 + workers * 200) * MIB,
    processPauseMs: 60_000,
  };
}

/**
 * Decides after each task whether a thread is kept.
 *
 * @param processBytes memory of the whole process now: threads cannot be measured one by one.
 * @param now milliseconds of a steady clock.
 * @see design/limits.md section 5
 */
export function createRecycling(
  limits: RecyclingLimits,
  processBytes: () => number,
  now: () => number,
): (thread: Pick<CompilerThread, 'runs' | 'memoryBytes'>) => boolean {
  let lastForProcess = Number.NEGATIVE_INFINITY;
  return ({ runs, memoryBytes }) => {
    if (runs >= limits.runs || memoryBytes > limits.threadBytes) return true;
    if (processBytes() <= limits.processBytes) return false;
    // Other parts of the server may hold the memory; without a pause no compiler would ever be warm.
    if (now() - lastForProcess < limits.processPauseMs) return false;
    lastForProcess = now();
    return true;
  };
}
