import { setImmediate } from 'node:timers/promises';
import type { CandidateRepository } from './candidate-repository.ts';

/** What the work needs; a fault ends it until the next start. */
export interface LikenessBackfillParts {
  readonly candidates: CandidateRepository;
  readonly onFault: (error: unknown) => void;
}

const BATCH = 20;

/** Makes compilations findable that an earlier version of the product stored, a few at a time beside the requests. */
export class LikenessBackfill {
  readonly #parts: LikenessBackfillParts;
  #isOpen = false;
  #work: Promise<void> = Promise.resolve();

  constructor(parts: LikenessBackfillParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#isOpen = true;
    this.#work = this.#run();
  }

  /** Resolves when nothing is written any more. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#work;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isOpen && (await this.#parts.candidates.indexOld(BATCH)) > 0) await setImmediate();
    } catch (error) {
      this.#parts.onFault(error);
    }
  }
}
