import { LedgerlensError } from '../values/ledgerlens-error.ts';

/** What a path may name and the text that clients get when it is unknown. */
const NOT_FOUND_TEXTS = {
  page: 'Page not found',
  component: 'Component not found',
  group: 'Component group not found',
  incident: 'Incident not found',
  update: 'Incident update not found',
} as const;

export type StatusNoun = keyof typeof NOT_FOUND_TEXTS;

/** The page, component, group, incident or update that a call names does not exist. */
export class StatusNotFoundError extends LedgerlensError {
  constructor(noun: StatusNoun, id: string) {
    super('status_not_found', NOT_FOUND_TEXTS[noun], { details: { noun, id: id.slice(0, 64) } });
  }
}

/**
 * A write was refused; nothing of it was stored.
 *
 * @see contracts/status.md section 4, Errors
 */
export class StatusValidationError extends LedgerlensError {
  /** Texts for the client, in the order of the contract's table. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super('status_validation', problems.join(', '), { details: { problems } });
    this.problems = problems;
  }
}
