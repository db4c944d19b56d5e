import { bucketOf } from '../uptime/response-buckets.ts';

/** Counts in memory how long probes took, until it is written. */
export class ResponseCounter {
  #counts = new Map<string, Map<number, number>>();

  add(probe: string, milliseconds: number): void {
    const counts = this.#counts.get(probe) ?? new Map<number, number>();
    this.#counts.set(probe, counts);
    const bucket = bucketOf(milliseconds);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }

  /** What was counted since the last call; when `write` fails it is kept. */
  async flush(
    write: (counts: readonly { probe: string; bucket: number; count: number }[]) => Promise<void>,
  ): Promise<void> {
    const taken = this.#counts;
    this.#counts = new Map();
    try {
      await write(
        [...taken].flatMap(([probe, counts]) =>
          [...counts].map(([bucket, count]) => ({ probe, bucket, count })),
        ),
      );
    } catch (error) {
      for (const [probe, counts] of this.#counts) {
        const before = taken.get(probe) ?? new Map<number, number>();
        for (const [bucket, count] of counts) before.set(bucket, (before.get(bucket) ?? 0) + count);
        taken.set(probe, before);
      }
      this.#counts = taken;
      throw error;
    }
  }
}
