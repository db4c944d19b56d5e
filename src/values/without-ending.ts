/**
 * A text without the characters that end it.
 *
 * Each is looked at once: an expression such as `/x+$/` begins anew at every x of a text that goes on after them, which
 * takes seconds for some ten thousand.
 */
export function withoutEnding(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}
