/**
 * Makes the test whether a text fits a pattern in which `*` stands for any characters and `?` for one.
 *
 * What stands between two stars is searched once, from the end of the part before it, so no text takes longer than the
 * product of both lengths.
 */
export function createPatternTest(pattern: string): (text: string) => boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) {
    const whole = new RegExp(`^${sourceOf(first)}$`);
    return (text) => whole.test(text);
  }
  const beginning = new RegExp(`^${sourceOf(first)}`);
  const ending = new RegExp(`${sourceOf(last)}$`, 'y');
  const middles = others.filter((part) => part !== '').map((part) => new RegExp(sourceOf(part), 'g'));
  return (text) => {
    if (!beginning.test(text)) return false;
    let at = first.length;
    for (const middle of middles) {
      middle.lastIndex = at;
      if (!middle.test(text)) return false;
      at = middle.lastIndex;
    }
    ending.lastIndex = text.length - last.length;
    return ending.lastIndex >= at && ending.test(text);
  };
}

function sourceOf(part: string): string {
  return part.replaceAll(/[\\^$.*+()[\]{}|/]/g, '\\$&').replaceAll('?', '[^]');
}

/** What every text that fits a pattern begins with. */
export function literalPrefix(pattern: string): string {
  const end = pattern.search(/[*?]/);
  return end < 0 ? pattern : pattern.slice(0, end);
}
