import { startThread } from '../../../threads/start-thread.ts';
import { type CompilerOutput, readCompilerOutput } from './read-compiler-output.ts';
import type { TargetOutput } from './solidity-output.ts';

/** Finds the target contract in the output of an executable. */
export type OutputReader = (output: CompilerOutput, signal: AbortSignal) => Promise<TargetOutput>;

/** Up to here reading takes less than the start of a thread, and no request waits long for it. Bytes. */
const READ_AT_ONCE_BYTES = 131_072;

/**
 * Reads small outputs at once and large ones in a thread, so that the server keeps answering.
 *
 * @param memoryLimitMiB heap of that thread.
 */
export function createOutputReader(memoryLimitMiB: number): OutputReader {
  return async (output, signal) =>
    sizeOf(output) <= READ_AT_ONCE_BYTES
      ? readCompilerOutput(output)
      : readInThread(output, memoryLimitMiB, signal);
}

function sizeOf(output: CompilerOutput): number {
  const sources = Object.values(output.input.sources);
  const printed = output.compiler === 'fe' ? 0 : output.stdout.length;
  return sources.reduce((sum, { content }) => sum + content.length, printed);
}

async function readInThread(
  output: CompilerOutput,
  memoryLimitMiB: number,
  signal: AbortSignal,
): Promise<TargetOutput> {
  signal.throwIfAborted();
  const buffer = output.compiler === 'fe' ? null : (output.stdout.buffer as ArrayBuffer);
  // A small buffer lies in a block that it shares with others and must be copied.
  const isOwned = buffer !== null && output.compiler !== 'fe' && output.stdout.length === buffer.byteLength;
  const worker = startThread('verify/compile/output/output-worker', {
    data: { output },
    transferList: isOwned ? [buffer] : [],
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMiB },
  });
  const abort = () => void worker.terminate();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (error) => {
        const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        if (!isMemory) reject(error);
        const message = `The output of the compiler needs more than ${memoryLimitMiB} MiB to be read`;
        resolve({ kind: 'unreadable', message });
      });
      worker.once('exit', () => reject(signal.reason ?? new Error('The reading thread ended early')));
    });
  } finally {
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
