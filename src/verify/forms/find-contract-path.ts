import { invalidParameter } from '../errors.ts';
import { isJsonObject } from '../json-object.ts';
import { withoutComments } from '../names-in-source.ts';
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
