import { LedgerlensError } from '../values/ledgerlens-error.ts';

/** What is wrong with a fixture, and where. */
export class FixtureError extends LedgerlensError {
  /** Number of the line, or place of the object in its list, from 1; null when it is the fixture as a whole. */
  readonly line: number | null;

  constructor(code: string, message: string, line: number | null, cause?: unknown) {
    super(code, message, { details: { line }, cause });
    this.line = line;
  }
}
