/** More slips than these, and it is another name. */
const MOST_SLIPS = 3;

/** The known name that somebody meant who wrote another one; null when none is near. */
export function nearName(name: string, known: readonly string[]): string | null {
  const begun = known.find((each) => each.startsWith(name) || name.startsWith(each));
  if (begun !== undefined) return begun;
  const [nearest] = known
    .map((each) => ({ each, slips: slipsBetween(each, name) }))
    .sort((one, other) => one.slips - other.slips);
  return nearest === undefined || nearest.slips > MOST_SLIPS ? null : nearest.each;
}

/** The fewest characters to insert, leave out or replace. */
function slipsBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [above, letter] of [...left].entries()) {
    const next = [above + 1];
    for (const [at, other] of [...right].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
