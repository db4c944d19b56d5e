/** Data that prints without loss: bigint members become bare digits, those that are undefined are left out. */
export type ExactJson =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly ExactJson[]
  | { readonly [name: string]: ExactJson | undefined };

/** Texts that need no escapes. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/**
 * Prints JSON with all digits of 64-bit integers.
 *
 * @see contracts/mirror-transactions.md section 2, number precision
 */
export function printExactJson(value: ExactJson): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  // Adding to one text takes half the time of joining lists: pages have thousands of members.
  let text = '';
  if (isList(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${printExactJson(item)}`;
    return `[${text}]`;
  }
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member !== undefined) text += `${text === '' ? '' : ','}${quoted(name)}:${printExactJson(member)}`;
  }
  return `{${text}}`;
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** `Array.isArray` does not narrow readonly lists. */
function isList(value: object): value is readonly ExactJson[] {
  return Array.isArray(value);
}
