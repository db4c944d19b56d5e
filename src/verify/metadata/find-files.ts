import { toHex } from '../../values/hex.ts';
import { keccak256 } from '../../values/keccak256.ts';
import { LINE_ENDING_VARIATIONS } from './line-endings.ts';

/** What the metadata say about one source. */
export interface ListedSource {
  /** With 0x, lower case. */
  readonly keccak256: string;
  /** Content that the metadata bring themselves. */
  readonly content?: string;
  /** Places at which the source may be had. */
  readonly urls: readonly string[];
}

/** Sources to find among files. */
export interface FileSearch {
  readonly listed: Readonly<Record<string, ListedSource>>;
  readonly files: readonly string[];
}

/** Where the sources of metadata are. */
export type FoundFiles = ReturnType<typeof findFiles>;

/**
 * Finds the sources of metadata among files, by keccak256 of their content and not by path; files that fit
 * nothing are tried with other line ends.
 *
 * Slow for large files, so not for the main thread.
 *
 * @see contracts/verification-api.md section 7.1 and contracts/verification-engine.md section 9.3
 */
export function findFiles({ listed, files }: FileSearch) {
  const wanted = new Set(Object.values(listed).map(({ keccak256 }) => keccak256));
  const byHash = new Map<string, string>();
  const matched: number[] = [];
  const unused: IndexedText[] = [];
  for (const [index, text] of [...files, ...inlineContents(listed)].entries()) {
    const hash = hashOf(text);
    if (!wanted.has(hash)) unused.push({ index, text });
    else {
      byHash.set(hash, text);
      matched.push(index);
    }
  }
  const varied = varyUnused(unused, wanted, byHash);

  const found = Object.entries(listed).map(([path, source]) => ({
    path,
    source,
    text: byHash.get(source.keccak256) ?? varied.get(source.keccak256)?.text,
  }));
  const absent = found.filter(({ text }) => text === undefined);
  const paths = (entries: typeof found) => entries.map(({ path }) => path);
  return {
    contents: Object.fromEntries(
      found.flatMap(({ path, text }) => (text === undefined ? [] : [[path, text] as const])),
    ),
    /** Indices of the files that fit, also with other line ends. */
    matched: [...matched, ...[...varied.values()].map(({ index }) => index)].filter(
      (index) => index < files.length,
    ),
    /** Paths whose file has other line ends than the original. */
    varied: paths(found.filter(({ source, text }) => text !== undefined && !byHash.has(source.keccak256))),
    /** Paths that no file fits. */
    missing: paths(absent.filter(({ source }) => source.content === undefined)),
    /** Paths whose content in the metadata has another hash than they say, and that no file fits either. */
    invalid: paths(absent.filter(({ source }) => source.content !== undefined)),
  };
}

function inlineContents(listed: FileSearch['listed']): readonly string[] {
  return Object.values(listed).flatMap(({ content }) => (content === undefined ? [] : [content]));
}

/** No contract has sources of this size; larger files are only looked for as they are. Characters. */
const MAX_VARIED = 4_194_304;

/** A text, and which of the files it is of. */
interface IndexedText {
  readonly index: number;
  readonly text: string;
}

/** Stops as soon as nothing is missing. */
function varyUnused(
  unused: readonly IndexedText[],
  wanted: ReadonlySet<string>,
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, IndexedText> {
  const varied = new Map<string, IndexedText>();
  let missing = [...wanted].filter((hash) => !known.has(hash)).length;
  let left = MAX_VARIED;
  for (const { index, text } of unused) {
    left -= text.length;
    if (left < 0) return varied;
    for (const { apply } of LINE_ENDING_VARIATIONS) {
      if (missing === 0) return varied;
      const other = apply(text);
      if (other === text) continue;
      const hash = hashOf(other);
      if (!wanted.has(hash) || known.has(hash) || varied.has(hash)) continue;
      varied.set(hash, { index, text: other });
      missing--;
    }
  }
  return varied;
}

function hashOf(text: string): string {
  return toHex(keccak256(Buffer.from(text, 'utf8')));
}
