/** Levels of a document's headings in order, such as `[1, 2, 3]`. */
function headingLevels(document: string): readonly number[] {
  return [...document.matchAll(/<h([1-6])[\s>]/g)].map(([, level]) => Number(level));
}

/** Headings that skip a level on the way down, or a number of `h1` other than one; empty when all is well. */
export function headingFaults(document: string): readonly string[] {
  const levels = headingLevels(document);
  const skipped = levels.flatMap((level, index) => {
    const before = levels[index - 1] ?? 0;
    return level > before + 1 ? [`h${level} after h${before}`] : [];
  });
  const tops = levels.filter((level) => level === 1).length;
  return tops === 1 ? skipped : [...skipped, `${tops} times h1`];
}

/** The text of a document without its markup, white space as one space each. */
export function visibleText(document: string): string {
  return (
    document
      .replace(/<title>[\s\S]*?<\/title>/g, '')
      // Stands within a line; others are taken to begin and end words.
      .replace(/<\/?bdi[^>]*>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
