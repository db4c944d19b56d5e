import { cpuMs, type FamilyMarks, processFamilyInTurns, residentBytes } from './process-family.ts';

/** What the processes of a run may take together. */
interface FamilyLimits {
  /** Processor time, milliseconds. */
  readonly cpuMs: number;
  /** Resident memory. */
  readonly bytes: number;
}

const LOOK_MS = 250;

/** Looks four times a second at what the processes of a run have taken. */
export class FamilyWatch {
  readonly #marks: FamilyMarks;
  readonly #limits: FamilyLimits;
  readonly #onLimit: (limit: 'time' | 'memory') => void;
  #timer: NodeJS.Timeout;
  #isOpen = true;
  #usedMs = 0;
  #seenAt = performance.now();

  /** @param onLimit called once. */
  constructor(marks: FamilyMarks, limits: FamilyLimits, onLimit: (limit: 'time' | 'memory') => void) {
    this.#marks = marks;
    this.#limits = limits;
    this.#onLimit = onLimit;
    this.#timer = setTimeout(() => this.#look(), LOOK_MS);
  }

  /**
   * Processor time until the last look, and what the clock shows since then: how much an ended process used is not to
   * be had.
   */
  get usedMs(): number {
    return this.#usedMs + performance.now() - this.#seenAt;
  }

  close(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const seenAt = performance.now();
    const family = await processFamilyInTurns(this.#marks);
    if (!this.#isOpen) return;
    // Empty where there is no list of processes: the clock counts then.
    if (family.length > 0) {
      // Less than before when one has ended that nobody reaped.
      this.#usedMs = Math.max(this.#usedMs, cpuMs(family));
      this.#seenAt = seenAt;
    }
    // How long looking took is not the compiler's time.
    const usedMs = family.length > 0 ? this.#usedMs : this.usedMs;
    if (usedMs >= this.#limits.cpuMs) this.#onLimit('time');
    else if (residentBytes(family) > this.#limits.bytes) this.#onLimit('memory');
    else this.#timer = setTimeout(() => this.#look(), LOOK_MS);
  }
}
