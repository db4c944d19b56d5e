import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { ticksNow } from '../copies/proc-table.ts';
import { runMark } from '../copies/run-owner.ts';
import { chargedMs, wallLimitMs } from '../cpu-time.ts';
import { type FamilyMarks, FamilyWatch, killFamily, killLeftovers } from './process-family.ts';

/** One run of an executable. */
export interface NativeRun {
  readonly path: string;
  readonly arguments: readonly string[];
  /** Working directory, home and place for temporary files; nobody else uses it. */
  readonly folder: string;
  readonly stdin: string;
  /** Processor time that the processes of the run may use together, milliseconds. */
  readonly timeoutMs: number;
  /** How long the run may take by the clock, milliseconds. Default: five times as long. */
  readonly wallLimitMs?: number;
  /** For each process, and for all that the run started together. MiB. */
  readonly memoryLimitMiB: number;
  /** Both outputs together. Bytes, default 250 MiB. */
  readonly outputLimitBytes?: number;
  /** Ends the run; it then rejects with the reason of the signal. */
  readonly signal: AbortSignal;
}

/** How a run ended. Times are milliseconds of processor time, of the clock where the system does not tell. */
export type NativeEnd = NativeExit | NativeFault;

/** The executable ended by itself, with whatever exit code. */
export interface NativeExit {
  readonly kind: 'exited';
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** The first 64 KiB. */
  readonly stderr: string;
  readonly milliseconds: number;
}

/** The run was stopped, or ended in a way that leaves no result. */
interface NativeFault {
  readonly kind: 'timeout' | 'out_of_memory' | 'crashed';
  readonly message: string;
  readonly milliseconds: number;
}

type StopReason = Omit<NativeFault, 'milliseconds'>;

const BYTES_PER_MIB = 1_048_576;
const OUTPUT_LIMIT_BYTES = 250 * BYTES_PER_MIB;
const STDERR_KEPT_BYTES = 65_536;
/** What is left behind and dies slowly may hold the pipes open after the compiler ended. */
const PIPE_GRACE_MS = 1000;
/** Blocks of 512 bytes: no file above 256 MiB. */
const FILE_LIMIT_BLOCKS = 524_288;
const SHOWN_CHARACTERS = 2000;
/** What a shell ends with when it may not start a program. */
const NOT_STARTED = 126;

/**
 * Sets limits that the kernel keeps even when this server is gone, then becomes the executable. The values
 * travel as arguments, so nothing of them is read as shell text. A lower limit that the operator set stays.
 */
const LIMITED_START = 'ulimit -c 0; ulimit -f "$1"; ulimit -d "$2"; ulimit -t "$3"; shift 3; exec "$@"';

/**
 * Runs an executable with a clean environment and limits of time, memory and output.
 *
 * Whatever it started and did not end is killed with it, also after a good end.
 *
 * @see contracts/verification-engine.md section 13 and design/architecture.md section 8
 */
export async function runNativeProcess(run: NativeRun): Promise<NativeEnd> {
  run.signal.throwIfAborted();
  const sinceTicks = ticksNow();
  const child = start(run);
  if (child.pid === undefined) {
    const [error] = (await once(child, 'error')) as [Error];
    const message = `The compiler cannot be started: ${error.message}`;
    return { kind: 'crashed', message, milliseconds: 0 };
  }
  const marks: FamilyMarks = { leader: child.pid, folder: run.folder, sinceTicks };
  let stopped: StopReason | null = null;
  const stop = (reason: StopReason) => {
    if (stopped !== null) return;
    stopped = reason;
    killRunning(child, marks);
  };
  const output = collectOutput(child, run.outputLimitBytes ?? OUTPUT_LIMIT_BYTES, stop);
  const end = ended(child, marks);
  const timeout = () => stop({ kind: 'timeout', message: 'The time limit was reached' });
  const timer = setTimeout(timeout, run.wallLimitMs ?? wallLimitMs(run.timeoutMs));
  const watch = new FamilyWatch(
    marks,
    { cpuMs: run.timeoutMs, bytes: run.memoryLimitMiB * BYTES_PER_MIB },
    (limit) => {
      if (limit === 'time') timeout();
      else
        stop({
          kind: 'out_of_memory',
          message: `The processes of the compiler used more than ${run.memoryLimitMiB} MiB`,
        });
    },
  );
  let usedMs = 0;
  child.once('exit', () => {
    usedMs = watch.usedMs;
    // Clearing up takes time that is not the compiler's.
    watch.close();
    clearTimeout(timer);
  });
  const abort = () => killRunning(child, marks);
  run.signal.addEventListener('abort', abort, { once: true });
  try {
    const { exitCode, signal } = await end;
    run.signal.throwIfAborted();
    const stderr = output.stderr();
    const fault = stopped ?? explainEnd(exitCode, signal, stderr);
    const milliseconds = chargedMs(fault?.kind ?? 'exited', usedMs, run.timeoutMs);
    if (fault !== null) return { ...fault, milliseconds };
    const noexec = exitCode === NOT_STARTED ? explainNoexec(run.path) : null;
    if (noexec !== null) {
      return { kind: 'crashed', message: `The compiler cannot be started: ${noexec}`, milliseconds };
    }
    return { kind: 'exited', exitCode: exitCode ?? 0, stdout: output.stdout(), stderr, milliseconds };
  } finally {
    run.signal.removeEventListener('abort', abort);
  }
}

/** Keeps the end of a text, where programs say what went wrong. */
export function lastPart(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > SHOWN_CHARACTERS ? `…${trimmed.slice(-SHOWN_CHARACTERS)}` : trimmed;
}

function start(run: NativeRun): ChildProcess {
  const cpuSeconds = Math.ceil(run.timeoutMs / 1000) + 1;
  const limits = [FILE_LIMIT_BLOCKS, run.memoryLimitMiB * 1024, cpuSeconds].map(String);
  const child = spawn('/bin/sh', ['-c', LIMITED_START, 'sh', ...limits, run.path, ...run.arguments], {
    cwd: run.folder,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: run.folder,
      TMPDIR: run.folder,
      LC_ALL: 'C.UTF-8',
      ...Object.fromEntries([runMark(run.folder)]),
    },
    // A group of its own, so that all of it can be ended at once.
    detached: true,
    stdio: 'pipe',
  });
  // A compiler that ends without reading its input closes the pipe; how it ended tells what was wrong.
  child.stdin?.on('error', () => {});
  child.stdin?.end(run.stdin);
  return child;
}

function collectOutput(child: ChildProcess, limitBytes: number, stop: (reason: StopReason) => void) {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let total = 0;
  let stderrKept = 0;
  const count = (chunk: Buffer): boolean => {
    total += chunk.length;
    if (total <= limitBytes) return true;
    const mebibytes = Math.floor(limitBytes / BYTES_PER_MIB);
    stop({ kind: 'crashed', message: `The compiler printed more than ${mebibytes} MiB` });
    stdout.length = 0;
    return false;
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    if (count(chunk)) stdout.push(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    if (!count(chunk) || stderrKept >= STDERR_KEPT_BYTES) return;
    const kept = chunk.subarray(0, STDERR_KEPT_BYTES - stderrKept);
    stderr.push(kept);
    stderrKept += kept.length;
  });
  return {
    stdout: () => Buffer.concat(stdout),
    stderr: () => Buffer.concat(stderr).toString('utf8'),
  };
}

async function ended(child: ChildProcess, marks: FamilyMarks) {
  const closed = once(child, 'close');
  // It is raced below, and may come after the race was decided.
  closed.catch(() => {});
  const [exitCode, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  const cleared = killLeftovers(marks);
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((resolve) => {
    // What is in the pipes already is read first, however late this timer comes.
    timer = setTimeout(() => setImmediate(resolve), PIPE_GRACE_MS);
  });
  await Promise.race([closed, grace]);
  clearTimeout(timer);
  child.stdout?.destroy();
  child.stderr?.destroy();
  await cleared;
  return { exitCode, signal };
}

function explainEnd(
  exitCode: number | null,
  signal: NodeJS.Signals | null,
  stderr: string,
): StopReason | null {
  if (exitCode === 0) return null;
  if (isOutOfMemory(stderr)) return { kind: 'out_of_memory', message: lastPart(stderr) };
  if (signal === null) return null;
  // Only the kernel sends these two: it ran out of memory, or the processor time was used up.
  if (signal === 'SIGKILL') return { kind: 'out_of_memory', message: 'The system killed the compiler' };
  if (signal === 'SIGXCPU') return { kind: 'timeout', message: 'The CPU time limit was reached' };
  return { kind: 'crashed', message: `The compiler was terminated by ${signal}. ${lastPart(stderr)}`.trim() };
}

/** What C++, Rust and Python programs print at the start of a line when an allocation is refused. */
function isOutOfMemory(stderr: string): boolean {
  return /^(terminate called .*bad_alloc|memory allocation of \d+ bytes failed|MemoryError\b)/m.test(stderr);
}

/** Once it has ended, what it left is killed by its end. */
function killRunning(child: ChildProcess, marks: FamilyMarks): void {
  if (child.exitCode === null && child.signalCode === null) killFamily(marks);
}

/**
 * Says that a program lies on a file system from which nothing may be started, as a volume often is.
 *
 * @param mounts lines of `/proc/self/mounts`; absent: those of this machine, none where there is no such file.
 * @returns null when that is not the reason why it does not start.
 */
export function explainNoexec(path: string, mounts: string = readMounts()): string | null {
  const place = mountOf(path, mounts);
  if (place?.options.includes('noexec') !== true) return null;
  return `${path} is on ${place.folder}, which is mounted noexec; mount it without noexec, or set VERIFY_COMPILER_CACHE_DIR to another folder`;
}

interface Mount {
  readonly folder: string;
  readonly options: readonly string[];
}

/** The longest folder that holds the path; of several mounts on one folder the last covers the others. */
function mountOf(path: string, mounts: string): Mount | null {
  let found: Mount | null = null;
  for (const line of mounts.split('\n')) {
    const [, escaped, , options] = line.split(' ');
    if (escaped === undefined || options === undefined) continue;
    const folder = escaped.replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const isInside = path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
    if (isInside && folder.length >= (found?.folder.length ?? 0)) {
      found = { folder, options: options.split(',') };
    }
  }
  return found;
}

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mounts', 'utf8');
  } catch {
    return '';
  }
}
