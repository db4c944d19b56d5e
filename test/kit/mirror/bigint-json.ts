import { isInteger, parse } from 'lossless-json';

/** Parses JSON with bigint for every integer, so that comparisons are exact. */
export function parseBigintJson(text: string): unknown {
  return parse(text, null, (value) => (isInteger(value) ? BigInt(value) : Number.parseFloat(value)));
}
