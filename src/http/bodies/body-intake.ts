import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { BodyBudget } from './body-budget.ts';
import { unsupportedEncoding } from './body-errors.ts';
import { BodyPace } from './body-pace.ts';
import { type BodyRead, BodyReading } from './body-reading.ts';
import { SlowBodies } from './slow-bodies.ts';

export type { ReadBody } from './body-reading.ts';

/** What a request says about its body. */
export type BodyHeaders = Pick<IncomingHttpHeaders, 'content-encoding' | 'content-length'>;

/**
 * Reads request bodies for all areas within one budget, and ends those that arrive too slowly or unpack too far.
 *
 * @see docs/adr/0010-admission-and-limits.md
 */
export class BodyIntake {
  readonly budget: BodyBudget;
  readonly #slow: SlowBodies;
  readonly #pace = new BodyPace();

  constructor(budget: BodyBudget, slow: SlowBodies = new SlowBodies()) {
    this.budget = budget;
    this.#slow = slow;
  }

  /**
   * Reads the body of a request to its end, plain or gzip, or refuses it as soon as that is clear; what still arrives
   * then flows into nothing.
   *
   * @param limitBytes that it may have, after unpacking too.
   * @param done called once: with a BodyError or with the body.
   */
  read(payload: Readable, headers: BodyHeaders, limitBytes: number, done: BodyRead): void {
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (encoding !== 'identity' && encoding !== 'gzip') {
      payload.resume();
      done(unsupportedEncoding());
      return;
    }
    const contentLength = headers['content-length'];
    const expected = { limitBytes, contentLength, isGzip: encoding === 'gzip' };
    const parts = { budget: this.budget, slow: this.#slow, pace: this.#pace };
    new BodyReading(parts, payload, expected, done).begin();
  }
}

/** @param mebibytes see `BODY_MEMORY_MB`. */
export function createBodyIntake(mebibytes = DEFAULT_BODY_MEMORY_MIB): BodyIntake {
  return new BodyIntake(new BodyBudget(mebibytes * 1_048_576));
}

const DEFAULT_BODY_MEMORY_MIB = 128;
