import { parentPort, workerData } from 'node:worker_threads';
import { type CompilerOutput, readCompilerOutput } from './read-compiler-output.ts';

// Reads one output that is too large for the main thread; the thread ends by itself afterwards.
const { output } = workerData as { readonly output: CompilerOutput };
parentPort?.postMessage(readCompilerOutput(output));
