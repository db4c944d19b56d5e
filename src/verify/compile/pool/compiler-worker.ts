import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../../threads/lower-priority.ts';
import { printInput } from '../../exact-runs.ts';
import { CpuStopWatch, readThreadId, threadCpuMs } from '../cpu-time.ts';
import { boundOutput } from '../output/read-compiler-output.ts';
import { readSolidityOutput } from '../output/solidity-output.ts';
import { compilerFault, keepTableEntries, limitCompilerMemory, loadSoljson } from './soljson.ts';
import { joinTexts, type TextPiece } from './text-pieces.ts';
import type { WorkerAnswer, WorkerSetup, WorkerTask, WorkerTexts } from './worker-messages.ts';

const SHOWN_CHARACTERS = 200;
const setup = workerData as WorkerSetup;

lowerPriority();
const memory = limitCompilerMemory(setup.memoryLimitBytes);
keepTableEntries();
// What engines from 12 on have. At a seventh of it the first compilations of a compiler make the engine's other threads
// optimise for longer than they take themselves, and no later one is faster for it.
setFlagsFromString('--wasm-tiering-budget=13000000');
const solc = loadSoljson(setup.path, setup.sha256);
const version = solc.version();
// Newer ones unpack themselves while they are loaded.
memory.bytes = 0;
const threadId = readThreadId();
const texts: TextPiece[] = [];
parentPort?.on('message', (message: WorkerTask | WorkerTexts) => {
  if ('input' in message) {
    answer(compile({ ...message, input: joinTexts(message.input, texts.splice(0)) }));
  } else texts.push(...message);
});
answer({ kind: 'ready', version, threadId });

function compile({ input, target }: WorkerTask): WorkerAnswer {
  const watch = new CpuStopWatch({ cpuMs: () => threadCpuMs(threadId), wallMs: () => performance.now() });
  memory.hasRefused = false;
  try {
    const printed = parsed(solc.compile(printInput(input)));
    const output = boundOutput(readSolidityOutput(printed, input, target, version), input);
    // The compiler reports refused memory as an error of the sources.
    if (output.kind === 'errors' && memory.hasRefused) throw new Error('out of memory');
    return { kind: 'result', output, milliseconds: watch.usedMs, memoryBytes: memory.bytes };
  } catch (error) {
    return { kind: 'fault', ...compilerFault(error, memory.hasRefused), milliseconds: watch.usedMs };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words would say less than the text does.
    throw new Error(`The compiler did not print JSON: "${text.trim().slice(0, SHOWN_CHARACTERS)}"`);
  }
}

function answer(message: WorkerAnswer): void {
  parentPort?.postMessage(message);
}
