import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/** The sources without tests: paths below `src`, sorted. */
export const sourceFiles: readonly string[] = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .sort();

export function sourceText(file: string): string {
  return readFileSync(join(SOURCE, file), 'utf8');
}

/** What a source needs of another one, or of a package. */
export interface Import {
  readonly file: string;
  /** Below `src`; the name of a package as it is written. */
  readonly target: string;
  readonly isTypeOnly: boolean;
}

/** Static imports, re-exports, loaded modules and the entries of threads. */
export const imports: readonly Import[] = sourceFiles.flatMap((file) => {
  const text = sourceText(file);
  const found = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+'([^']+)'/gm)];
  const loaded = [...text.matchAll(/\bimport\('([^']+)'\)|^import '([^']+)'|new URL\('(\.[^']+\.ts)'/gm)];
  return [
    ...found.map((match) => ({
      file,
      target: resolve(file, match[2] ?? ''),
      isTypeOnly: match[1] !== undefined,
    })),
    ...loaded.map((match) => ({
      file,
      target: resolve(file, match[1] ?? match[2] ?? match[3] ?? ''),
      isTypeOnly: false,
    })),
  ];
});

function resolve(file: string, specifier: string): string {
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier;
}
