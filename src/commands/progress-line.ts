import { type Clock, systemClock } from '../values/clock.ts';

interface ProgressParts {
  readonly done: number;
  /** Null when nobody knows. */
  readonly total: number | null;
  /** What is counted, in the plural. */
  readonly what: string;
  readonly detail: string;
}

/** Shows how far a long command is. */
export interface ProgressLine {
  show(parts: ProgressParts): void;
  /** Leaves the cursor on a fresh line. May be called twice. */
  close(): void;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const TERMINAL_EVERY_MS = 100;
const LOG_EVERY_MS = 5000;

/**
 * One line that is rewritten on a terminal (count, rate, time left); otherwise a plain line every five seconds.
 */
export function createProgressLine(
  stream: Output = process.stderr,
  clock: Clock = systemClock,
): ProgressLine {
  const started = clock.now();
  const isTerminal = stream.isTTY === true;
  let shown = isTerminal ? Number.NEGATIVE_INFINITY : started;
  let isOpen = false;
  return {
    show(parts) {
      const now = clock.now();
      const isLast = isTerminal && parts.done === parts.total;
      if (!isLast && now - shown < (isTerminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS)) return;
      shown = now;
      const text = describeProgress(parts, (now - started) / 1000);
      stream.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
      isOpen = isTerminal;
    },
    close() {
      if (isOpen) stream.write('\n');
      isOpen = false;
    },
  };
}

/** `120 of 300 units, 60/s, 3 s left: …` */
export function describeProgress({ done, total, what, detail }: ProgressParts, seconds: number): string {
  const rate = seconds > 0 ? done / seconds : 0;
  if (total === null) return `${done} ${what}, ${rate.toFixed(rate < 10 ? 1 : 0)}/s: ${detail}`;
  const left = rate > 0 ? `, ${Math.ceil((total - done) / rate)} s left` : '';
  return `${done} of ${total} ${what}, ${rate.toFixed(rate < 10 ? 1 : 0)}/s${left}: ${detail}`;
}
