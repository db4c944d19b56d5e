import { isJsonObject, type JsonObject } from '../../json-object.ts';
import type { StandardJson } from '../../standard-json.ts';

/**
 * Lists the files that define a contract or library of a name.
 *
 * Up to 0.4.8 solc names contracts without their file: of two with one name it gives any. Its syntax trees tell the
 * files; a file without one is searched for the words.
 *
 * @param sources the member of the compiler's output.
 * @see contracts/verification-engine.md section 2.3
 */
export function filesThatDefine(name: string, sources: unknown, input: StandardJson): readonly string[] {
  const trees = isJsonObject(sources) ? sources : {};
  return Object.entries(input.sources).flatMap(([path, { content }]) => {
    const source = Object.hasOwn(trees, path) ? trees[path] : null;
    const tree = isJsonObject(source) ? source['legacyAST'] : null;
    const defines = isJsonObject(tree) ? definesInTree(tree, name) : definesInText(content, name);
    return defines ? [path] : [];
  });
}

/** The first is the name below 0.4. */
const DEFINITIONS: ReadonlySet<unknown> = new Set(['Contract', 'ContractDefinition']);

/** At any depth: below 0.4 what follows a definition stands inside its last node. */
function definesInTree(tree: JsonObject, name: string): boolean {
  const open: unknown[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isJsonObject(node)) continue;
    const { attributes, children } = node;
    if (DEFINITIONS.has(node['name']) && isJsonObject(attributes) && attributes['name'] === name) return true;
    if (Array.isArray(children)) for (const child of children) open.push(child);
  }
  return false;
}

/** Comments count as well: a name that is there twice in doubt is refused, not guessed. */
function definesInText(content: string, name: string): boolean {
  const words = content.split(/[^\w$]+/);
  return words.some((word, index) => word === name && /^(?:contract|library)$/.test(words[index - 1] ?? ''));
}
