import type { StandardJson } from '../../standard-json.ts';

/** A part of a source that is too large to be copied to a thread in one go. */
export interface TextPiece {
  readonly path: string;
  readonly text: string;
}

/** Copying as much to a thread, or hashing it, takes a few milliseconds. Characters. */
const PIECE_CHARACTERS = 1_048_576;

/** Cuts a text into pieces that are worked on one after the other. Pairs of surrogates stay together. */
export function* piecesOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + PIECE_CHARACTERS);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** Characters of all sources together. */
export function sourceCharacters({ sources }: StandardJson): number {
  return Object.values(sources).reduce((sum, { content }) => sum + content.length, 0);
}

/**
 * Takes the sources out of an input that is large.
 *
 * @returns the input with empty sources and the texts in batches; an input of usual size as it is, without batches.
 */
export function splitTexts(input: StandardJson): {
  readonly input: StandardJson;
  readonly batches: readonly (readonly TextPiece[])[];
} {
  if (sourceCharacters(input) <= PIECE_CHARACTERS) return { input, batches: [] };
  const batches: TextPiece[][] = [];
  let free = 0;
  const sources = Object.entries(input.sources).map(([path, source]) => {
    for (const text of piecesOf(source.content)) {
      if (text.length > free || batches.length === 0) {
        batches.push([]);
        free = PIECE_CHARACTERS;
      }
      batches.at(-1)?.push({ path, text });
      free -= text.length;
    }
    return [path, { ...source, content: '' }] as const;
  });
  return { input: { ...input, sources: Object.fromEntries(sources) }, batches };
}

/** Puts the texts of {@link splitTexts} back. */
export function joinTexts(input: StandardJson, pieces: readonly TextPiece[]): StandardJson {
  if (pieces.length === 0) return input;
  const texts = new Map<string, string[]>();
  for (const { path, text } of pieces) {
    const known = texts.get(path);
    if (known === undefined) texts.set(path, [text]);
    else known.push(text);
  }
  const sources = Object.entries(input.sources).map(([path, source]) => [
    path,
    { ...source, content: texts.get(path)?.join('') ?? source.content },
  ]);
  return { ...input, sources: Object.fromEntries(sources) };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
