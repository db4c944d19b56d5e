/** Random members of a path, for a ledger of a size. */
export interface Places {
  readonly size: number;
  /** A number below. */
  below(limit: number): number;
}

/** A request with its places filled. */
export type PlacedRequest = (places: Places) => string;

/** The same paths in every run. */
export function placedPaths(request: PlacedRequest, size: number, count: number): readonly string[] {
  let state = 12_345;
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % limit;
  };
  return Array.from({ length: count }, () => request({ size, below }));
}
