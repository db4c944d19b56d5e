import type { ChunkScale } from './log-chunk.ts';

export interface BuildOptions {
  /** Default {@link CHUNK_SCALE}. */
  readonly scale?: ChunkScale;
  /** Ends it after the chunk in hand. */
  readonly signal?: AbortSignal;
}

/** Chunks of logs, by which those with several keys that are each in many of them are found. */
export interface LogChunks {
  /**
   * Cuts the logs that are in no chunk into chunks, as far as they fill them, and puts a full one in the place of early
   * ones. Logs that come meanwhile in between end it; the next call goes on.
   *
   * @returns how many chunks were made, those in the place of others too
   * @throws StorageBusyError when another server imports, which does this then.
   */
  build(options?: BuildOptions): Promise<number>;
}
