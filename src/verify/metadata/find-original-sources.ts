import { LINE_ENDING_VARIATIONS } from './line-endings.ts';
import { contentHash, type MetadataHash } from './metadata-hash.ts';
import { readMetadataTemplate } from './metadata-template.ts';

/** A compilation whose metadata hash is not the one on chain. */
export interface OriginalSearch {
  /** Metadata exactly as the compiler printed it. */
  readonly metadata: string;
  /** Content of every source of the input, by path. */
  readonly contents: Readonly<Record<string, string>>;
  /** Hash that the compiler put into the code. */
  readonly compiled: MetadataHash;
  /** Hash that the code on chain carries. */
  readonly wanted: MetadataHash;
}

/** Contents that give the wanted metadata hash. */
export interface OriginalSources {
  readonly contents: Readonly<Record<string, string>>;
  /** Name of the variation. */
  readonly variation: string;
}

/**
 * Looks for the line ends with which the sources have the metadata hash on chain; all sources change together.
 *
 * Slow for large sources, so not for the main thread.
 *
 * @returns null when no variation fits, or the metadata are not understood: their own hash is computed first.
 * @see contracts/verification-engine.md section 9.3
 */
export function findOriginalSources({
  metadata,
  contents,
  compiled,
  wanted,
}: OriginalSearch): OriginalSources | null {
  if (compiled.kind !== wanted.kind || hashOf(compiled, metadata) !== compiled.hash) return null;
  const template = readMetadataTemplate(metadata, contents);
  if (template === null) return null;
  for (const { name, apply } of LINE_ENDING_VARIATIONS) {
    const varied = Object.fromEntries(
      Object.entries(contents).map(([path, text]): [string, string] => [path, apply(text)]),
    );
    if (template.paths.every((path) => varied[path] === contents[path])) continue;
    const printed = template.print(varied);
    if (hashOf(wanted, printed) === wanted.hash) return { contents: varied, variation: name };
  }
  return null;
}

function hashOf({ kind }: MetadataHash, text: string): string {
  return contentHash(kind, Buffer.from(text, 'utf8'));
}
