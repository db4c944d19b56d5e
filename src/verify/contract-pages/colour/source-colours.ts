import { createHash } from 'node:crypto';
import { printHtml } from '../../../pages/html.ts';
import { startThread } from '../../../threads/start-thread.ts';
import { TaskThread, TaskTimeout } from '../../../threads/task-thread.ts';
import { ByteBoundMap } from '../../byte-bound-map.ts';
import type { ColouredLanguage } from './grammars.ts';
import { boundLines, plainLines, printLines } from './print-lines.ts';

/** One message to the thread; it answers each with a {@link PrintedSource}. */
export interface ColourTask {
  readonly text: string;
  /** Null for a text without colours. */
  readonly language: ColouredLanguage | null;
}

/** A file as the page shows it. */
export interface PrintedSource {
  /** Lines with their numbers, for an element `pre`. */
  readonly markup: string;
  /** How many lines are shown. */
  readonly lines: number;
  readonly omittedLines: number;
  readonly cutLines: number;
}

/** A printed file, and whether asking again may give a better one. */
interface PrintedAnswer extends PrintedSource {
  readonly isFinal: boolean;
}

/** Limits of the thread; a test may set its own. */
const LIMITS = {
  /** A file that takes longer stays without colours. */
  timeoutMs: 2_000,
  /** How long a page waits for colours before it is sent without. */
  patienceMs: 400,
  /** Files that may wait for the thread. */
  queue: 16,
};
export type SourceColoursLimits = Partial<typeof LIMITS>;

const IDLE_MS = 120_000;
const HEAP_MIB = 192;
const KEPT_BYTES = 16 * 1024 * 1024;
/** What a kept page or file takes beside its text, about. */
export const ENTRY_BYTES = 256;
/** What is printed on the thread that answers requests when the other one has no time. */
const HASTY = { length: 65_536, lines: 1_000 };

/**
 * Syntax colours, found in a thread of its own and kept by the content of the file.
 *
 * Whatever the sources do to the patterns of the library, a page comes: without colours when they take too long.
 *
 * @see docs/adr/0024-pages.md
 */
export class SourceColours {
  readonly #thread: TaskThread<ColourTask, PrintedSource>;
  readonly #limits: typeof LIMITS;
  readonly #kept = new ByteBoundMap<string, PrintedAnswer>(KEPT_BYTES, ENTRY_BYTES);
  readonly #running = new Map<string, Promise<PrintedAnswer>>();

  constructor(limits: SourceColoursLimits = {}) {
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MIB };
    const start = () => startThread('verify/contract-pages/colour/colour-worker', { resourceLimits });
    this.#thread = new TaskThread({ start, name: 'colour', idleMs: IDLE_MS });
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Never rejects. */
  async print(text: string, language: ColouredLanguage | null): Promise<PrintedAnswer> {
    const key = `${language} ${createHash('sha256').update(text).digest('base64url')}`;
    const kept = this.#kept.get(key);
    if (kept !== null) return kept;
    const running = this.#running.get(key) ?? this.#start(key, { text, language });
    if (running === null) return hasty(text);
    const patience = new AbortController();
    const late = new Promise<PrintedAnswer>((resolve) => {
      const timer = setTimeout(() => resolve(hasty(text)), this.#limits.patienceMs);
      patience.signal.addEventListener('abort', () => clearTimeout(timer));
    });
    try {
      return await Promise.race([running, late]);
    } finally {
      patience.abort();
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #start(key: string, task: ColourTask): Promise<PrintedAnswer> | null {
    if (this.#running.size >= this.#limits.queue) return null;
    const running = this.#print(key, task).finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }

  async #print(key: string, task: ColourTask): Promise<PrintedAnswer> {
    try {
      const { timeoutMs } = this.#limits;
      const printed = { ...(await this.#thread.run(task, { timeoutMs })), isFinal: true };
      this.#kept.set(key, printed, 2 * printed.markup.length);
      return printed;
    } catch (error) {
      // It would take as long the next time; the text itself may still be printed in the thread.
      if (error instanceof TaskTimeout && task.language !== null) {
        return this.#print(key, { ...task, language: null });
      }
      return hasty(task.text);
    }
  }
}

function hasty(text: string): PrintedAnswer {
  const { lines, omittedLines, cutLines } = boundLines(text, HASTY);
  const markup = printHtml(printLines(plainLines(lines)));
  return { markup, lines: lines.length, omittedLines, cutLines, isFinal: false };
}

const BY_ENDING: ReadonlyMap<string, ColouredLanguage> = new Map([
  ['sol', 'solidity'],
  ['vy', 'vyper'],
  ['vyi', 'vyper'],
  ['yul', 'yul'],
  ['json', 'json'],
  ['fe', 'fe'],
]);
const BY_LANGUAGE: ReadonlyMap<string, ColouredLanguage> = new Map([
  ['Solidity', 'solidity'],
  ['Vyper', 'vyper'],
  ['Yul', 'yul'],
  ['Fe', 'fe'],
]);

/** What a file is written in: by its ending, or else as its compilation; null when neither says it. */
export function languageOf(path: string, compilationLanguage: string): ColouredLanguage | null {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return BY_ENDING.get(ending) ?? BY_LANGUAGE.get(compilationLanguage) ?? null;
}
