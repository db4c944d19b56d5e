/** Whether the database takes writes, as health checks show it. */
export interface WriteState {
  /**
   * `waiting`: somebody else has been writing for long. `failing`: the newest commit failed. `refused`: what is written
   * would be lost, for example since the file is not the one of its path any more.
   */
  readonly writes: 'working' | 'waiting' | 'failing' | 'refused';
  /** In words; null while it works. */
  readonly reason: string | null;
}

export const WORKING_WRITES: WriteState = { writes: 'working', reason: null };
