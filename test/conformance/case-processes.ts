import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FileResult, FileToRun } from './case-process.ts';

/**
 * Runs files in so many processes, each the next one when it is free.
 *
 * @param take gets each result as soon as it is there, with the place of its file; a second one when the process fails after its last file
 */
export async function runFiles(
  files: readonly FileToRun[],
  processes: number,
  take: (result: FileResult, index: number) => void,
): Promise<void> {
  const waiting = [...files.entries()];
  await Promise.all(
    Array.from({ length: Math.min(processes, files.length) }, async () => {
      let process = start();
      let last = 0;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, file] = next;
        const result = await resultOf(process, file);
        take(result ?? fault(`the process that ran ${file.path} has ended`), index);
        if (result === null) process = start();
        last = index;
      }
      const { child, ended } = process;
      if (child.connected) child.disconnect();
      const code = await ended;
      if (code !== 0) take(fault(`the process that ran ${files[last]?.path} last ended with ${code}`), last);
    }),
  );
}

interface CaseProcess {
  readonly child: ChildProcess;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

function start(): CaseProcess {
  const child = fork(fileURLToPath(new URL('./case-process.ts', import.meta.url)));
  return { child, ended: once(child, 'exit').then(([code, signal]) => code ?? signal) };
}

function fault(reason: string): FileResult {
  return { counts: {}, lines: [], fault: reason };
}

/** Null when the process ends instead. */
async function resultOf({ child, ended }: CaseProcess, file: FileToRun): Promise<FileResult | null> {
  const settled = new AbortController();
  try {
    if (!child.connected) return null;
    child.send(file);
    return await Promise.race([
      once(child, 'message', settled).then(([result]) => result as FileResult),
      ended.then(() => null),
    ]);
  } finally {
    settled.abort();
  }
}
