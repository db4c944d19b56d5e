/** How many units of one extra a transaction has. */
export interface CountedUnits {
  /** Name of the extra in the schedule, for example `KEYS`. */
  readonly name: string;
  /** Exact: the size of a transaction keeps it far below 2^53. */
  readonly count: number;
}

/** Shortens the tables: `units('KEYS', 3)`. */
export function units(name: string, count: number): CountedUnits {
  return { name, count };
}
