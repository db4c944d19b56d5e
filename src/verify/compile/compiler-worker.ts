import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { CpuStopWatch, readThreadId, threadCpuMs } from './cpu-time.ts';
import { readSolidityOutput } from './solidity-output.ts';
import { loadSoljson } from './soljson.ts';
import type { WorkerAnswer, WorkerSetup, WorkerTask } from './worker-messages.ts';

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const WASM_PAGE_BYTES = 65_536;
/** A fifth less of a contended core. More would also let every other program of the machine go first. */
const NICENESS = 1;
const setup = workerData as WorkerSetup;
let hasRefusedMemory = false;
let memoryBytes = 0;

lowerPriority();
limitWasmMemory(setup.memoryLimitBytes);
const solc = loadSoljson(setup.path, setup.sha256);
const version = solc.version();
const threadId = readThreadId();
parentPort?.on('message', (task: WorkerTask) => answer(compile(task)));
answer({ kind: 'ready', version, threadId });

function compile({ input, target }: WorkerTask): WorkerAnswer {
  const watch = new CpuStopWatch({ cpuMs: () => threadCpuMs(threadId), wallMs: () => performance.now() });
  hasRefusedMemory = false;
  try {
    const text = solc.compile(JSON.stringify(input));
    const output = readSolidityOutput(JSON.parse(text), input, target, version);
    // The compiler reports refused memory as an error of the sources.
    if (output.kind === 'errors' && hasRefusedMemory) throw new Error('out of memory');
    return { kind: 'result', output, milliseconds: watch.usedMs, memoryBytes };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = hasRefusedMemory || isOutOfMemory(message) ? 'out_of_memory' : 'crashed';
    return { kind: 'fault', reason, message, milliseconds: watch.usedMs };
  }
}

/** A 32-bit compiler that runs out of memory ends in one of these ways. */
function isOutOfMemory(message: string): boolean {
  return /memory access out of bounds|cannot enlarge memory|out of memory|OOM/i.test(message);
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
