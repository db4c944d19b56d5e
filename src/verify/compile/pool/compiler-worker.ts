import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { CpuStopWatch, readThreadId, threadCpuMs } from '../cpu-time.ts';
import { readSolidityOutput } from '../output/solidity-output.ts';
import { compilerFault } from './compiler-fault.ts';
import { loadSoljson } from './soljson.ts';
import { joinTexts, type TextPiece } from './text-pieces.ts';
import type { WorkerAnswer, WorkerSetup, WorkerTask, WorkerTexts } from './worker-messages.ts';

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const WASM_PAGE_BYTES = 65_536;
/** A fifth less of a contended core. More would also let every other program of the machine go first. */
const NICENESS = 1;
const SHOWN_CHARACTERS = 200;
const setup = workerData as WorkerSetup;
let hasRefusedMemory = false;
let memoryBytes = 0;

lowerPriority();
limitWasmMemory(setup.memoryLimitBytes);
const solc = loadSoljson(setup.path, setup.sha256);
const version = solc.version();
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
  hasRefusedMemory = false;
  try {
    const output = readSolidityOutput(parsed(solc.compile(JSON.stringify(input))), input, target, version);
    // The compiler reports refused memory as an error of the sources.
    if (output.kind === 'errors' && hasRefusedMemory) throw new Error('out of memory');
    return { kind: 'result', output, milliseconds: watch.usedMs, memoryBytes };
  } catch (error) {
    return { kind: 'fault', ...compilerFault(error, hasRefusedMemory), milliseconds: watch.usedMs };
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

/** The thread's heap limit does not cover WebAssembly, so growing is refused at its own limit. */
function limitWasmMemory(limitBytes: number): void {
  // The Node types know WebAssembly only as a namespace of types.
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } };
  const memory = WebAssembly.Memory.prototype;
  const grow = memory.grow;
  memory.grow = function limited(this: WasmMemory, pages: number): number {
    if (this.buffer.byteLength + pages * WASM_PAGE_BYTES > limitBytes) {
      hasRefusedMemory = true;
      throw new RangeError('The memory limit of the compiler is reached: out of memory');
    }
    const previousPages = grow.call(this, pages);
    memoryBytes = this.buffer.byteLength;
    return previousPages;
  };
}

/** On Linux priorities belong to threads: requests are answered first. Elsewhere it would slow down the server. */
function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(NICENESS);
}

function answer(message: WorkerAnswer): void {
  parentPort?.postMessage(message);
}
