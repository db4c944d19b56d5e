/** How many calls of a probe fell into a bucket on a day. */
export interface ResponseCount {
  readonly probe: string;
  /** `YYYY-MM-DD` in the page's zone. */
  readonly date: string;
  /** @see bucketOf */
  readonly bucket: number;
  readonly count: number;
}

/** How long the measured parts took, by day. */
export interface ResponseTimes {
  /** Adds counts to what is there, also to what other processes added, and drops days before `oldest`. */
  add(counts: readonly ResponseCount[], oldest: string): Promise<void>;
  /** From a day on, by probe and day. */
  read(from: string): Promise<readonly ResponseCount[]>;
}
