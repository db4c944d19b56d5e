import type { BodyBudget } from '../../http/bodies/body-budget.ts';
import { invalidParameter, VerifyRequestError } from '../errors.ts';
import { quoteLargeRuns } from '../exact-runs.ts';
import { MAX_MEMBERS } from '../json-excess.ts';
import { heapBytesOf, MEMBER_BYTES } from '../model/submission.ts';

/** Leaves out a byte order mark, which some clients send and JSON does not have. */
const UTF_8 = new TextDecoder('utf-8');

/** Smaller bodies are parsed in a few milliseconds whatever they hold. */
const SHAPED_FROM_BYTES = 65_536;
const SHAPE_LIMITS = { depth: 1000, values: MAX_MEMBERS } as const;

/**
 * Parses the bytes of a body. An empty one counts as an empty object, so that the first missing member is named.
 *
 * @throws VerifyRequestError `invalid_parameter` for a body that would keep the parser busy for seconds, `invalid_json`
 */
export function parseBody(body: Uint8Array): unknown {
  if (body.length > SHAPED_FROM_BYTES) requireModestShape(body);
  if (body.length === 0) return {};
  try {
    return JSON.parse(quoteLargeRuns(UTF_8.decode(body))) as unknown;
  } catch (error) {
    throw new VerifyRequestError('invalid_json', error instanceof Error ? error.message : 'No JSON');
  }
}

function requireModestShape(body: Uint8Array): void {
  switch (findJsonExcess(body, SHAPE_LIMITS)) {
    case 'depth':
      throw invalidParameter(`request/body must NOT be nested deeper than ${SHAPE_LIMITS.depth} levels`);
    case 'values':
      throw invalidParameter(
        `request/body must NOT have more than ${SHAPE_LIMITS.values} members and elements altogether`,
      );
  }
}

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
const PERCENT = 0x25;

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

/**
 * Heap that a body may take once it is parsed, and so may the JSON in the texts of a form: two bytes a character, and its
 * members. They are counted only where what a body of its size can take at most does not fit into half the room.
 *
 * @param copies of its texts: 2 for a form, from which a submission is made.
 */
export function heapBytesOfBody(room: BodyBudget, body: Uint8Array, copies = 1): number {
  const mostBytes = heapBytesOf(body.length) + body.length * 2 * (copies - 1);
  if (room.takenBytes + mostBytes <= room.capacityBytes / 2) return mostBytes;
  let members = 1;
  for (let index = 0; index < body.length; index++) if (mayBeginMember(body, index)) members++;
  return body.length * 2 * copies + members * MEMBER_BYTES;
}

/** A bracket that opens, a comma or, between fields, `&`: as it is, or behind an escape of JSON or of a web form. */
function mayBeginMember(body: Uint8Array, index: number): boolean {
  const byte = body[index];
  const next = body[index + 1] ?? 0;
  if (byte === PERCENT) {
    // `%2C`, `%5B`, `%5C` and `%7B`.
    const low = (body[index + 2] ?? 0) | 0x20;
    return (next === 0x32 || next === 0x35 || next === 0x37) && (low === 0x62 || low === 0x63);
  }
  if (byte === BACKSLASH) return next === 0x75 || next === PERCENT;
  return byte === 0x7b || byte === 0x5b || byte === COMMA || byte === 0x26;
}
