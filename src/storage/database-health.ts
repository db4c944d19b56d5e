/** Writes and reads one row, to see whether the database works. */
export interface DatabaseHealth {
  /**
   * @param now goes into the row, UTC milliseconds.
   * @throws StorageBusyError when others keep it from writing at once.
   * @throws StorageFaultError when it cannot be written or read.
   */
  check(now: number): Promise<void>;
}
