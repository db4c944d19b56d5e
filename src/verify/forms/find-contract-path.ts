import { invalidParameter } from '../errors.ts';
import { isJsonObject } from '../json-object.ts';
import { shorten, shortenList } from '../shorten.ts';

/**
 * The file that defines a contract, for clients that name the contract alone.
 *
 * @param sources those of a standard JSON input, unchecked.
 * @throws VerifyRequestError `invalid_parameter` unless it is exactly one.
 */
export function contractPathOf(sources: unknown, name: string): string {
  const texts = Object.entries(isJsonObject(sources) ? sources : {}).flatMap(([path, source]) =>
    isJsonObject(source) && typeof source['content'] === 'string' ? [[path, source['content']] as const] : [],
  );
  const paths = findContractPaths(Object.fromEntries(texts), name);
  const [path] = paths;
  if (path === undefined) {
    throw invalidParameter(
      `Couldn't find contract ${shorten(name)} in the provided Solidity JSON Input file.`,
    );
  }
  if (paths.length === 1) return path;
  throw invalidParameter(
    `Several files define ${shorten(name)}: ${shortenList(paths)}. ` +
      'Name the file as well: contractName can be path:Name',
  );
}

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
  // Vyper's contracts have the names of their files.
  const file = new RegExp(`(?:^|/)${escaped}\\.vy$`);
  return Object.entries(sources)
    .filter(
      ([path, text]) => file.test(path) || (text.includes(name) && definition.test(withoutComments(text))),
    )
    .map(([path]) => path);
}

/**
 * Comments may name any contract; texts in quotation marks are kept, so a mark of a comment in them does not count.
 *
 * A text that nobody closes goes to the end of its line. Each character is read once: an expression for all of it
 * would need a stack as long as the text.
 */
export function withoutComments(text: string): string {
  const marks = /["'/]/g;
  let kept = '';
  let from = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const { index } = mark;
    if (mark[0] !== '/') {
      marks.lastIndex = endOfText(text, index, mark[0]);
      continue;
    }
    const end = endOfComment(text, index);
    if (end === null) continue;
    kept += `${text.slice(from, index)} `;
    from = end;
    marks.lastIndex = end;
  }
  return kept + text.slice(from);
}

/** @returns the place after the comment that begins here; null when none does. */
function endOfComment(text: string, start: number): number | null {
  const isLine = text.startsWith('//', start);
  if (!isLine && !text.startsWith('/*', start)) return null;
  const end = isLine ? text.indexOf('\n', start) : text.indexOf('*/', start + 2);
  if (end === -1) return text.length;
  return isLine ? end : end + 2;
}

/** @returns the place after the text that begins with this quotation mark. */
function endOfText(text: string, start: number, quote: string): number {
  const stops = quote === '"' ? /["\\\n]/g : /['\\\n]/g;
  stops.lastIndex = start + 1;
  for (let stop = stops.exec(text); stop !== null; stop = stops.exec(text)) {
    if (stop[0] === quote) return stop.index + 1;
    if (stop[0] === '\n') return stop.index;
    stops.lastIndex = stop.index + 2;
  }
  return text.length;
}
