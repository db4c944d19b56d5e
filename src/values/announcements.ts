/** What other processes on the same database tell after their commits. */
export type Topic = 'job-waits' | 'job-ended' | 'ledger' | 'status';

/** Hears what is committed, also by other processes. */
export interface Announcements {
  /**
   * Calls a listener after each commit that announced the topic, and after a time in which announcements may have been
   * missed; whoever listens looks now and then all the same.
   *
   * @param listener gets what was named with the topic; null: anything may have changed.
   * @returns what ends it.
   */
  on(topic: Topic, listener: (subject: string | null) => void): () => void;
}

/** Nothing is told where one process has the database to itself. */
export const NO_ANNOUNCEMENTS: Announcements = { on: () => () => {} };
