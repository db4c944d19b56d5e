/** How much structure a JSON text may have. */
interface JsonShapeLimits {
  /** Lists and objects inside each other. */
  readonly depth: number;
  /** Members and elements of all lists and objects together. */
  readonly values: number;
}

/** The limit that a text exceeds. */
type JsonShapeExcess = keyof JsonShapeLimits;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Looks over JSON text before it is parsed: ten million empty objects take the parser seconds, in which nobody
 * else is answered, while finding them takes a millisecond.
 *
 * @param text UTF-8; text that is no JSON is judged by the same characters.
 * @returns null when the text is within its limits.
 */
export function findJsonExcess(text: Uint8Array, limits: JsonShapeLimits): JsonShapeExcess | null {
  let depth = 0;
  let values = 0;
  let isString = false;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index];
    if (isString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isString = false;
    } else if (byte === QUOTE) {
      isString = true;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limits.depth) return 'depth';
      if (++values > limits.values) return 'values';
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    } else if (byte === COMMA && ++values > limits.values) {
      return 'values';
    }
  }
  return null;
}
