/**
 * Gives a text in one letter case, so that texts that differ in the case of their letters alone become equal, in any
 * script. Letter by letter: a part of a text folds as it does within the whole.
 */
export function foldCase(text: string): string {
  let folded = '';
  for (const letter of text) folded += letter.toUpperCase().toLowerCase();
  return folded;
}
