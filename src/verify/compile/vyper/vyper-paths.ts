import { isJsonObject } from '../../json-object.ts';
import type { CompilationTarget, StandardJson } from '../../standard-json.ts';

/** Members of an input whose keys are paths; `sources` is one too. */
const BY_PATH = ['interfaces', 'storage_layout_overrides'] as const;

/** An input under the paths that the compiler itself uses, and how to get back. */
interface PlainPaths {
  readonly input: StandardJson;
  readonly target: CompilationTarget;
  /** The submitted path of a plain one. */
  readonly submittedPath: (path: string) => string;
}

/**
 * Writes paths as Vyper prints them: it reads `./a.vy` as `a.vy`, and then does not find the selected `./a.vy`.
 *
 * Two paths that mean the same file are left as they are: the compiler says so.
 */
export function withPlainPaths(input: StandardJson, target: CompilationTarget): PlainPaths {
  const submitted = Object.keys(input.sources);
  const back = new Map(submitted.map((path) => [plainPath(path), path]));
  const isAmbiguous = back.size < submitted.length;
  if (isAmbiguous || submitted.every((path) => path === plainPath(path))) {
    return { input, target, submittedPath: (path) => path };
  }
  const others = BY_PATH.flatMap((member) => {
    const value = input[member];
    return isJsonObject(value) ? [[member, renamed(value)] as const] : [];
  });
  return {
    input: { ...input, ...Object.fromEntries(others), sources: renamed(input.sources) },
    target: { ...target, path: plainPath(target.path) },
    submittedPath: (path) => back.get(path) ?? path,
  };
}

/** @example `./a//b/./c.vy` → `a/b/c.vy` */
function plainPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return (path.startsWith('/') ? '/' : '') + parts.join('/');
}

function renamed<T>(byPath: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(byPath).map(([path, value]) => [plainPath(path), value]));
}
