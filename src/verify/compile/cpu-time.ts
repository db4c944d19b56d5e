import { readFileSync, readlinkSync } from 'node:fs';

const NANOS_PER_MS = 1e6;
const WALL_PER_CPU = 5;

/**
 * How long work may take by the clock that may use so much processor time: generous, because a busy machine makes it
 * wait, but not for ever, because what hangs uses none.
 *
 * @returns milliseconds.
 */
export function wallLimitMs(cpuLimitMs: number): number {
  return WALL_PER_CPU * cpuLimitMs;
}

/** What a run is charged: one that hung used little processor time, and yet all the time that it was given. */
export function chargedMs(end: string, usedMs: number, limitMs: number): number {
  return end === 'timeout' ? Math.max(usedMs, limitMs) : usedMs;
}

/** The number by which the system knows the calling thread; null where it does not tell (not Linux). */
export function readThreadId(): number | null {
  try {
    return Number(/\d+$/.exec(readlinkSync('/proc/thread-self'))?.[0] ?? Number.NaN) || null;
  } catch {
    return null;
  }
}

/** Processor time that a thread of this process has used, milliseconds; null where the system does not tell. */
export function threadCpuMs(threadId: number | null): number | null {
  if (threadId === null) return null;
  try {
    const [nanos] = readFileSync(`/proc/self/task/${threadId}/schedstat`, 'latin1').split(' ', 1);
    const milliseconds = Number(nanos) / NANOS_PER_MS;
    return Number.isFinite(milliseconds) ? milliseconds : null;
  } catch {
    // The thread has ended, or the kernel was built without it.
    return null;
  }
}

/** What a stop watch of processor time reads. */
interface TimeSource {
  /** Milliseconds; null when it cannot be told, the clock counts then. */
  readonly cpuMs: () => number | null;
  /** Milliseconds. */
  readonly wallMs: () => number;
}

/** Counts the processor time that something uses from now on, or the clock where that cannot be told. */
export class CpuStopWatch {
  readonly #source: TimeSource;
  readonly #cpuStart: number | null;
  readonly #wallStart: number;
  #used = 0;

  constructor(source: TimeSource) {
    this.#source = source;
    this.#cpuStart = source.cpuMs();
    this.#wallStart = source.wallMs();
  }

  /** Milliseconds used; what was read last when the thread has ended meanwhile. */
  get usedMs(): number {
    const { cpuMs, wallMs } = this.#source;
    if (this.#cpuStart === null) return wallMs() - this.#wallStart;
    const now = cpuMs();
    if (now !== null) this.#used = now - this.#cpuStart;
    return this.#used;
  }

  /**
   * Calls back once, when the limit is reached, or its generous equivalent by the clock.
   *
   * @returns ends the watch.
   */
  limit(cpuLimitMs: number, onLimit: () => void): () => void {
    const wallEnd = this.#source.wallMs() + wallLimitMs(cpuLimitMs);
    let timer: NodeJS.Timeout;
    const look = () => {
      // One thread cannot use more than the clock shows, so nothing is missed between two looks.
      const left = Math.min(cpuLimitMs - this.usedMs, wallEnd - this.#source.wallMs());
      if (left <= 0) onLimit();
      else timer = setTimeout(look, Math.ceil(left));
    };
    timer = setTimeout(look, Math.ceil(cpuLimitMs));
    return () => clearTimeout(timer);
  }
}
