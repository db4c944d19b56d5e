/** Data that prints without loss: bigint members become bare digits. */
export type ExactJson =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly ExactJson[]
  | { readonly [name: string]: ExactJson };

/**
 * Prints JSON with all digits of 64-bit integers.
 *
 * @see contracts/mirror-transactions.md section 2, number precision
 */
export function printExactJson(value: ExactJson): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(printExactJson).join(',')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${printExactJson(member)}`,
  );
  return `{${members.join(',')}}`;
}

/** `Array.isArray` does not narrow readonly lists. */
function isList(value: object): value is readonly ExactJson[] {
  return Array.isArray(value);
}
