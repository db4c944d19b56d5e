import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseExact } from '../../src/commands/exact-json.ts';

/** One `*.json` file of a case folder, read with a big-integer parser. */
export interface CaseFile {
  readonly path: string;
  /** Path below the case folder, without `.json`. */
  readonly name: string;
  readonly content: unknown;
}

/** Folders beside the cases that hold no cases themselves. */
const NO_CASES = new Set(['schemas', 'real-samples']);

/**
 * The paths of every case file of a folder and its subfolders, in the order of their names.
 *
 * @throws Error when the folder is missing or holds no case file: that is a failure, never a pass.
 */
export function caseFilePaths(folder: string): readonly string[] {
  if (!existsSync(folder))
    throw new Error(`The case folder ${folder} does not exist; name it with --cases DIR.`);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.json') && !NO_CASES.has(basename(entry.parentPath)),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isReplaced(path))
    .sort();
  if (paths.length === 0) throw new Error(`The case folder ${folder} holds no *.json file.`);
  return paths;
}

/** Files of `verification-2026-11` with a changed rule stand for those of the same name in `verifier-alliance`. */
function isReplaced(path: string): boolean {
  const successor = path.replace('/verifier-alliance/', '/verification-2026-11/alliance-');
  return successor !== path && existsSync(successor);
}

/** Reads one of them. */
export function readCaseFile(folder: string, path: string): CaseFile {
  const name = relative(folder, path).replace(/\.json$/, '');
  return { path, name, content: parseExact(readFileSync(path, 'utf8')) };
}

/** The folder `schemas` nearest above a case file. */
export function schemaFolderOf(file: CaseFile): string {
  for (let folder = dirname(file.path); folder !== dirname(folder); folder = dirname(folder)) {
    const schemas = join(folder, 'schemas');
    if (existsSync(schemas)) return schemas;
  }
  throw new Error(`No folder schemas stands beside or above ${file.path}`);
}
