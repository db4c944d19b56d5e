import { StatusValidationError } from '../errors.ts';
import type { IncidentStatus } from './incident-status.ts';

/**
 * Texts of refused writes; clients match on them and get them in this order.
 *
 * @see contracts/status.md section 4, Errors
 */
const PROBLEMS = {
  nameBlank: "Name can't be blank",
  nameTooLong: 'Name is too long (maximum is 255 characters)',
  bodyTooLong: 'Body is too long (maximum is 25000 characters)',
  statusUnknown: 'Status is not included in the list',
  impactOverrideUnknown: 'Impact override is not included in the list',
  scheduledForNotAllowed: 'Scheduled for is not allowed for realtime incidents',
  scheduledForBlank: "Scheduled for can't be blank",
  scheduledUntilBlank: "Scheduled until can't be blank",
  scheduledForInvalid: 'Scheduled for is invalid',
  scheduledUntilInvalid: 'Scheduled until is invalid',
  windowReversed: 'Scheduled until must be after scheduled for',
  componentsOnBackfilled: 'Components cannot be set on a backfilled incident',
  componentsInvalid: 'Components is invalid',
  componentStatusUnknown: 'Component status is not included in the list',
  componentsBlank: "Components can't be blank",
  groupInvalid: 'Group is invalid',
  groupStatus: 'Status of a group cannot be set',
  statusNotRealtime: 'Status is not valid for a realtime incident',
  statusNotMaintenance: 'Status is not valid for a scheduled maintenance',
  endpointBlank: "Endpoint can't be blank",
} as const;

export type Problem = keyof typeof PROBLEMS;

const ORDER: readonly string[] = Object.values(PROBLEMS);

/** Gathers everything that is wrong with a write, so that one answer names it all. */
export class ProblemList {
  readonly #texts = new Set<string>();

  add(problem: Problem): void {
    this.addText(PROBLEMS[problem]);
  }

  /** A maintenance cannot go back, and nothing leaves its final state. */
  addTransition(from: IncidentStatus, to: IncidentStatus): void {
    this.addText(`Status cannot change from ${from} to ${to}`);
  }

  /** What the specification's table does not name follows what it does, in the form of its texts. */
  addText(text: string): void {
    this.#texts.add(text);
  }

  /** A member whose value cannot be read, for example `Start date is invalid`. */
  addUnreadable(member: string): void {
    const words = member.replaceAll('_', ' ');
    this.addText(`${words.charAt(0).toUpperCase()}${words.slice(1)} is invalid`);
  }

  /** @throws StatusValidationError when anything was added. */
  throwIfAny(): void {
    const known = ORDER.filter((text) => this.#texts.has(text));
    if (this.#texts.size > 0) throw new StatusValidationError([...new Set([...known, ...this.#texts])]);
  }
}
