import { setImmediate } from 'node:timers/promises';

const UNITS_IN_A_TURN = 3000;

/** Lets other requests have their turn during a long piece of work. */
export class Turns {
  #spent = 0;

  /** Says what is done next. @param units each about a microsecond. */
  async spend(units: number): Promise<void> {
    this.#spent += units;
    if (this.#spent < UNITS_IN_A_TURN) return;
    this.#spent = 0;
    await setImmediate();
  }
}
