import { isInteger, parse } from 'lossless-json';

/** Parses an answer of the API, with bigint for every integer. */
export function exactDocument<T>(json: string): T {
  return parse(json, null, (text) => (isInteger(text) ? BigInt(text) : Number(text))) as T;
}
