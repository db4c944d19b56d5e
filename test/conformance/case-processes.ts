import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FileResult, FileToRun } from './case-process.ts';

/**
 * Runs files in so many processes, each the next one when it is free.
 *
 * @param take gets each result as soon as it is there, with the place of its file
 */
export async function runFiles(
  files: readonly FileToRun[],
  processes: number,
  take: (result: FileResult, index: number) => void,
): Promise<void> {
  const waiting = [...files.entries()];
  await Promise.all(
    Array.from({ length: Math.min(processes, files.length) }, async () => {
      let child = start();
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, file] = next;
        const result = await resultOf(child, file);
        take(
          result ?? { counts: {}, lines: [], fault: `the process that ran ${file.path} has ended` },
          index,
        );
        if (result === null) child = start();
      }
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    }),
  );
}

function start(): ChildProcess {
  return fork(fileURLToPath(new URL('./case-process.ts', import.meta.url)));
}

/** Null when the process ends instead. */
async function resultOf(child: ChildProcess, file: FileToRun): Promise<FileResult | null> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    child.send(file);
    return await Promise.race([
      once(child, 'message', { signal }).then(([result]) => result as FileResult),
      once(child, 'exit', { signal }).then(() => null),
    ]);
  } finally {
    settled.abort();
  }
}
