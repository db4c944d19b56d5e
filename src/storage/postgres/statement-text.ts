/** A text of quotes, or a parameter. */
const PARTS = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\?/g;

/** Numbers the parameters of a statement, as PostgreSQL wants them: `?` outside quotes and comments becomes `$1`, `$2`. */
export function numberedParameters(text: string): string {
  let count = 0;
  return text.replace(PARTS, (part) => (part === '?' ? `$${++count}` : part));
}
