import { invalidParameter, shorten, shortenList } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { withoutComments } from '../names-in-source.ts';

/**
 * The identifier `path:Name` of a contract, for clients that may name the contract alone.
 *
 * @param input a standard JSON input, unchecked.
 * @param isVyper whether the client says so beside the input.
 * @throws VerifyRequestError `invalid_parameter` unless the name fits exactly one contract of the input.
 * @see contracts/verification-api.md section 7.4
 */
export function contractIdentifierOf(input: JsonObject, name: string, isVyper = false): string {
  if (isVyper || input['language'] === 'Vyper') return vyperIdentifierOf(input, name);
  if (name.includes(':')) return name;
  const paths = findContractPaths(textsOf(input), name);
  if (paths.length === 0) throw notFound(name, 'Solidity', []);
  return `${onlyOne(paths, input, name)}:${name}`;
}

/** A file of Vyper is one contract of the file's name, so explorers show names that no file has. */
function vyperIdentifierOf(input: JsonObject, name: string): string {
  const texts = textsOf(input);
  const colon = name.lastIndexOf(':');
  const named = [name, ...(colon < 0 ? [] : [name.slice(0, colon)])].find((path) =>
    Object.hasOwn(texts, path),
  );
  const fitting = named === undefined ? findContractPaths(texts, name.slice(colon + 1)) : [named];
  const paths = fitting.length > 0 ? fitting : vyperTargetsOf(texts, input);
  if (fitting.length === 0 && paths.length !== 1) throw notFound(name, 'Vyper', Object.keys(texts));
  const path = onlyOne(paths, input, name);
  return `${path}:${path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')}`;
}

/** The files whose code the input asks for; without a selection those that can have code. */
function vyperTargetsOf(texts: Readonly<Record<string, string>>, input: JsonObject): readonly string[] {
  const paths = Object.keys(texts);
  const selected = paths.filter((path) => Object.hasOwn(outputSelectionOf(input), path));
  if (selected.length > 0) return selected;
  return paths.length === 1 ? paths : paths.filter((path) => path.endsWith('.vy'));
}

function onlyOne(paths: readonly string[], input: JsonObject, name: string): string {
  const selection = outputSelectionOf(input);
  const selected = paths.filter((path) => {
    const outputs = Object.hasOwn(selection, path) ? selection[path] : null;
    return (
      Array.isArray(outputs) || (isJsonObject(outputs) && (Object.hasOwn(outputs, name) || '*' in outputs))
    );
  });
  const [path, ...others] = paths.length > 1 && selected.length > 0 ? selected : paths;
  if (path !== undefined && others.length === 0) return path;
  throw invalidParameter(
    `Several files define ${shorten(name)}: ${shortenList(paths)}. ` +
      'Name the file as well: contractName can be path:Name',
  );
}

function notFound(name: string, language: string, paths: readonly string[]): Error {
  const listed = paths.length === 0 ? '' : ` Name one of its files: ${shortenList(paths)}.`;
  return invalidParameter(
    `Couldn't find contract ${shorten(name)} in the provided ${language} JSON Input file.${listed}`,
  );
}

function textsOf({ sources }: JsonObject): Readonly<Record<string, string>> {
  const texts = Object.entries(isJsonObject(sources) ? sources : {}).flatMap(([path, source]) =>
    isJsonObject(source) && typeof source['content'] === 'string' ? [[path, source['content']] as const] : [],
  );
  return Object.fromEntries(texts);
}

function outputSelectionOf({ settings }: JsonObject): JsonObject {
  const selection = isJsonObject(settings) ? settings['outputSelection'] : null;
  return isJsonObject(selection) ? selection : {};
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
