/**
 * Finds the files that define a contract of a name, as far as their text tells without compiling.
 *
 * @param sources texts by path.
 */
export function findContractPaths(
  sources: Readonly<Record<string, string>>,
  name: string,
): readonly string[] {
  if (!/^[\w$]+$/.test(name)) return [];
  const escaped = name.replaceAll('$', '\\$');
  const definition = new RegExp(
    `(?:\\b(?:contract|library)\\s+${escaped}(?![\\w$])|\\bobject\\s+"${escaped}")`,
  );
  return Object.entries(sources)
    .filter(([, text]) => text.includes(name) && definition.test(withoutComments(text)))
    .map(([path]) => path);
}

/** Comments may name any contract; texts in quotation marks are kept, so a mark of a comment in them does not count. */
function withoutComments(text: string): string {
  return text.replace(
    /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
    (found) => (found.startsWith('/') ? ' ' : found),
  );
}
