/** A text of quotes, a comment, a cast, a parameter (`?` or `@name`), or a name with capitals inside. */
const PARTS = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|::\w+|\?|@[a-z]\w*|\b[a-z][a-z0-9_]*[A-Z]\w*/g;

/** A statement as PostgreSQL wants it. */
export interface StatementText {
  readonly text: string;
  /** Names of the parameters by their order; null when they have none. */
  readonly names: readonly string[] | null;
}

/**
 * Numbers the parameters, `?` and `@name`, outside quotes and comments; names with capitals inside are quoted, since
 * PostgreSQL would give columns of that name back in small letters.
 */
export function statementText(text: string): StatementText {
  const names: string[] = [];
  let count = 0;
  const translated = text.replace(PARTS, (part) => {
    if (part === '?') return `$${++count}`;
    if (part.startsWith('@')) {
      const name = part.slice(1);
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    }
    return /^[a-z]/.test(part) ? `"${part}"` : part;
  });
  return { text: translated, names: names.length === 0 ? null : names };
}
