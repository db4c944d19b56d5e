const MAX_ITEMS = 1;
const MAX_MEMBERS = 24;
const MAX_TEXT_LENGTH = 240;

/** Cuts an answer to what readers of the documents look at: one item of a list, the begin of a long text. */
export function shortenExample(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shortenExample);
  if (typeof value === 'string')
    return value.length > MAX_TEXT_LENGTH ? value.slice(0, MAX_TEXT_LENGTH) : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const kept = members.length > 2 * MAX_MEMBERS ? members.slice(0, MAX_MEMBERS) : members;
  return Object.fromEntries(kept.map(([name, member]) => [name, shortenExample(member)]));
}

/** How much an answer shows; the fullest one of moderate size is the example. */
export function exampleWorth(value: unknown): number {
  const size = JSON.stringify(shortenExample(value))?.length ?? 0;
  return size > 6000 ? 6000 / size : size;
}
