/**
 * Tells whether a text fits a pattern in which `*` stands for any characters and `?` for one.
 *
 * It tries again from the last star alone, so no pattern takes longer than the product of both lengths.
 */
export function fitsPattern(text: string, pattern: string): boolean {
  let place = 0;
  let at = 0;
  let star = -1;
  let afterStar = 0;
  while (at < text.length) {
    if (pattern[place] === '*') {
      star = place;
      afterStar = at;
      place += 1;
    } else if (place < pattern.length && (pattern[place] === '?' || pattern[place] === text[at])) {
      place += 1;
      at += 1;
    } else if (star >= 0) {
      afterStar += 1;
      at = afterStar;
      place = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[place] === '*') place += 1;
  return place === pattern.length;
}

/** What every text that fits a pattern begins with. */
export function literalPrefix(pattern: string): string {
  const end = pattern.search(/[*?]/);
  return end < 0 ? pattern : pattern.slice(0, end);
}
