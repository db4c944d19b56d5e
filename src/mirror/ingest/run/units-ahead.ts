import type { StreamUnit } from '../units/stream-unit.ts';

/** As many checks as there are threads for them. */
const MOST_AHEAD = 4;

/**
 * Asks a source for some units before their turn, so that they can begin with what takes long.
 *
 * Only units that can prepare themselves are asked for: the walk over others stays one step at a time. What is wrong with
 * a unit, or with the source, shows when its turn comes.
 */
export class UnitsAhead {
  readonly #step: () => Promise<StreamUnit | null>;
  /** In their order; each is asked for when the one before has come. */
  readonly #asked: Promise<StreamUnit | null>[] = [];
  readonly #here: StreamUnit[] = [];

  /** @param step gives the next unit of the source; null at its end */
  constructor(step: () => Promise<StreamUnit | null>) {
    this.#step = step;
  }

  async next(): Promise<StreamUnit | null> {
    const asked = this.#asked.shift();
    const unit = await (asked ?? this.#step());
    if (asked !== undefined) this.#here.shift();
    if (unit?.prepare !== undefined) this.#askAhead();
    return unit;
  }

  /** Those that have come and wait for their turn. */
  get waiting(): readonly StreamUnit[] {
    return this.#here;
  }

  #askAhead(): void {
    while (this.#asked.length < MOST_AHEAD) {
      const before = this.#asked.at(-1) ?? Promise.resolve();
      const unit = before.then(() => this.#ask());
      // A fault is told in its turn; until then it is no unhandled one.
      unit.catch(() => {});
      this.#asked.push(unit);
    }
  }

  async #ask(): Promise<StreamUnit | null> {
    const unit = await this.#step();
    if (unit !== null) this.#here.push(unit);
    return unit;
  }
}
