import { joinSignals } from '../../../values/joined-signal.ts';
import type { TargetOutput } from '../output/solidity-output.ts';
import type { CompileSlots } from '../pool/compile-slots.ts';
import type { RunLimits, RunResult } from '../pool/compiler-thread.ts';
import { type NativeExit, runNativeProcess } from './native-process.ts';
import type { PrivateFolders } from './private-folder.ts';

/** One run of a compiler that is an executable. */
export interface NativeTask {
  readonly path: string;
  /** Arguments for a run in `folder`. */
  readonly arguments: (folder: string) => readonly string[];
  readonly stdin: string;
  /** Writes what the compiler reads from disk. */
  readonly prepare?: (folder: string) => Promise<void>;
  /** Finds the target contract in what the compiler printed or wrote. */
  readonly read: (exit: NativeExit, folder: string) => Promise<TargetOutput>;
}

/** Runs executables one per slot, each in a folder of its own. */
export type NativeRunner = ReturnType<typeof createNativeRunner>;

/**
 * @param slots shared with the worker threads.
 * @param memoryLimitMiB that one compiler may take.
 * @see contracts/verification-engine.md sections 2.2, 4.2 and 5
 */
export function createNativeRunner(slots: CompileSlots, folders: PrivateFolders, memoryLimitMiB: number) {
  const closing = new AbortController();
  const running = new Set<Promise<RunResult>>();

  const runInSlot = async (task: NativeTask, limits: RunLimits): Promise<RunResult> => {
    const release = await slots.acquire(limits.signal);
    try {
      return await folders.with(async (folder): Promise<RunResult> => {
        await task.prepare?.(folder);
        const end = await runNativeProcess({
          path: task.path,
          arguments: task.arguments(folder),
          folder,
          stdin: task.stdin,
          timeoutMs: limits.timeoutMs,
          memoryLimitMiB,
          signal: limits.signal,
        });
        if (end.kind !== 'exited') return end;
        // What it takes to read an output is paid by the job that asked for it.
        const printedAt = performance.now();
        const output = await task.read(end, folder);
        const milliseconds = end.milliseconds + Math.round(performance.now() - printedAt);
        return { kind: 'result', output, milliseconds };
      });
    } finally {
      release();
    }
  };

  return {
    /** @throws the reason of the signal when that fires first. */
    async run(task: NativeTask, limits: RunLimits): Promise<RunResult> {
      const { end, signal } = joinSignals(limits.signal, closing.signal);
      const run = runInSlot(task, { ...limits, signal });
      running.add(run);
      try {
        return await run;
      } finally {
        end();
        running.delete(run);
      }
    },
    /** Ends all processes and removes their folders; tasks that wait or run are rejected. */
    async close(): Promise<void> {
      closing.abort(new Error('The compilers are closed'));
      await Promise.allSettled(running);
    },
  };
}
