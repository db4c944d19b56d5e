import { LedgerlensError } from '../values/ledgerlens-error.ts';

/** What a path may name and the text that clients get when it is unknown. */
export const NOT_FOUND_TEXTS = {
  page: 'Page not found',
  component: 'Component not found',
  group: 'Component group not found',
  incident: 'Incident not found',
  update: 'Incident update not found',
  subscriber: 'Subscriber not found',
  path: 'Not found',
} as const;

type StatusNoun = keyof typeof NOT_FOUND_TEXTS;

/** The page, component, group, incident, update or subscriber that a call names does not exist. */
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
  /** Texts for the client, in the order of the specification's table. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super('status_validation', problems.join(', '), { details: { problems } });
    this.problems = problems;
  }
}

/** A parameter of a page's address cannot be read; the message names it and what is allowed. */
export class StatusParameterError extends LedgerlensError {
  constructor(parameter: string, allowed: string) {
    super('status_parameter', `${parameter} must be ${allowed}`, { details: { parameter } });
  }
}

/** The object of a write changed after the moment that the caller named. */
export class StatusConflictError extends LedgerlensError {
  constructor() {
    super('status_conflict', 'Conflict');
  }
}

/** The body of a write is no JSON object, or a form whose names contradict each other. */
export class BadBodyError extends LedgerlensError {
  constructor(options: { readonly cause?: unknown } = {}) {
    super('status_bad_body', 'Invalid request body', options);
  }
}

/** A call without a token that counts, or with one that may only read. */
export class StatusAccessError extends LedgerlensError {
  /** 401: who is it; 403: it must not. */
  readonly statusCode: 401 | 403;

  constructor(statusCode: 401 | 403) {
    super('status_access', statusCode === 401 ? 'Could not authenticate' : 'Forbidden');
    this.statusCode = statusCode;
  }
}

/** A token made too many calls. */
export class StatusRateError extends LedgerlensError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('status_rate', 'Rate limit exceeded', { details: { retryAfterSeconds } });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
