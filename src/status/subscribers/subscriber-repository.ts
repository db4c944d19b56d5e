import type { AuditEntry } from '../model/changes.ts';
import type { Stretch } from '../model/stretches.ts';
import type { Subscriber } from './subscriber.ts';

/** Keeps subscribers. Decisions run inside the write transaction; when one throws, nothing is written. */
export interface SubscriberRepository {
  /** In order of their creation. */
  list(stretch: Stretch): Promise<readonly Subscriber[]>;
  /** Null when it does not exist. */
  find(id: string): Promise<Subscriber | null>;
  /**
   * Adds one.
   *
   * @param decide gets the endpoints of all that exist.
   */
  add(decide: (endpoints: readonly string[]) => RecordedSubscriber): Promise<Subscriber>;
  /**
   * Deletes one, with everything that has not reached it yet.
   *
   * @param decide gets it, or null when it does not exist; to leave it, it throws.
   * @returns what was deleted.
   */
  remove(id: string, decide: (found: Subscriber | null) => RecordedSubscriber): Promise<Subscriber>;
}

/** A subscriber to be stored or deleted, and what is recorded of that. */
export interface RecordedSubscriber {
  readonly subscriber: Subscriber;
  readonly audit: AuditEntry;
}
