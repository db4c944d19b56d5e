/** About as many characters are printed in one go: a fraction of a millisecond. */
const PIECE_CHARACTERS = 32_768;
/** From here on an answer is worth several pieces. */
const LARGE_CHARACTERS = 262_144;

/** A text that holds the JSON of a value: `before`, the value, `after`. */
export class TextOfJson {
  readonly before: string;
  readonly value: unknown;
  readonly after: string;

  constructor(value: unknown, { before = '', after = '' } = {}) {
    this.before = before;
    this.value = value;
    this.after = after;
  }

  toJSON(): string {
    return this.before + JSON.stringify(this.value) + this.after;
  }
}

/** A number by its digits, for one that JavaScript would round. Only {@link printInPieces} prints it. */
export class NumberText {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** A value by its JSON, for one that is stored so: where it is long it is neither parsed nor printed again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Whether printing a value in one go would hold up everything else, or would round a number. Looks at no more of it than it needs. */
export function isLargeJson(value: unknown): boolean {
  return weightOf(value, LARGE_CHARACTERS) >= LARGE_CHARACTERS;
}

/** Prints a value as `JSON.stringify` does, a piece at a time. The value must not change meanwhile. */
export function* printInPieces(value: unknown, pieceCharacters = PIECE_CHARACTERS): Generator<string> {
  let piece = '';
  for (const part of parts(value, pieceCharacters)) {
    piece += part;
    if (piece.length < pieceCharacters) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function* parts(value: unknown, most: number): Generator<string> {
  if (value instanceof NumberText) {
    yield value.digits;
  } else if (value instanceof JsonText) {
    yield* slices(value.text, most);
  } else if (value instanceof TextOfJson && weightOf(value, most) >= most) {
    yield `"${inText(value.before)}`;
    for (const part of printInPieces(value.value, most)) yield inText(part);
    yield `${inText(value.after)}"`;
  } else if (typeof value === 'string' && value.length > most) {
    yield '"';
    for (const slice of slices(value, most)) yield inText(slice);
    yield '"';
  } else if (!isContainer(value) || weightOf(value, most) < most) {
    yield JSON.stringify(value) ?? 'null';
  } else if (Array.isArray(value)) {
    yield '[';
    for (const [index, member] of value.entries()) {
      if (index > 0) yield ',';
      yield* parts(member, most);
    }
    yield ']';
  } else {
    yield '{';
    let before = '';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* parts(member, most);
      before = ',';
    }
    yield '}';
  }
}

function inText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Two halves of one character stay together: alone they would be printed as escapes. */
function* slices(text: string, most: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + most, text.length);
    const isSplit = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    if (isSplit) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** About how many characters a value takes; no more than `limit` is counted. */
function weightOf(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (!isContainer(value)) return 8;
  if (value instanceof NumberText) return Number.POSITIVE_INFINITY;
  if (value instanceof TextOfJson) return weightOf(value.value, limit);
  if (value instanceof JsonText) return value.text.length;
  const names = Array.isArray(value) ? null : Object.keys(value);
  const count = names?.length ?? (value as readonly unknown[]).length;
  let weight = 2;
  for (let index = 0; index < count && weight < limit; index += 1) {
    const name = names?.[index];
    weight += (name?.length ?? 0) + 3;
    weight += weightOf((value as Readonly<Record<string, unknown>>)[name ?? index], limit - weight);
  }
  return weight;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
