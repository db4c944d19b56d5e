import { isJsonObject, type JsonObject } from '../json-object.ts';
import { namesInSource } from '../names-in-source.ts';

/** Where package managers put what others wrote. */
const FOREIGN = /^(?:@|npm\/|lib\/|node_modules\/|project\/node_modules\/)/;

/**
 * The contracts that may be deployed, `path:Name`, as far as the texts tell without compiling: abstract ones and
 * interfaces are left out, and those of the project stand before those of its libraries.
 *
 * @param input standard JSON, unchecked.
 */
export function listContracts(input: JsonObject): readonly string[] {
  const { language, sources } = input;
  const texts = Object.entries(isJsonObject(sources) ? sources : {}).flatMap(([path, source]) =>
    isJsonObject(source) && typeof source['content'] === 'string' ? [[path, source['content']] as const] : [],
  );
  return ownFirst(
    texts.flatMap(([path, text]) => namesInSource(path, text, language).map((name) => `${path}:${name}`)),
  );
}

/** Puts the contracts of the project first, else leaves the order as it is. */
export function ownFirst(contracts: readonly string[]): readonly string[] {
  return contracts.toSorted((left, right) => Number(FOREIGN.test(left)) - Number(FOREIGN.test(right)));
}
