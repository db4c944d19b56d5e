import { parse } from 'lossless-json';
import { FixtureFault, type FixtureObject, isObject } from './fixture-members.ts';

const INTEGER = /^-?\d+$/;

/**
 * Reads a JSON object: integers keep all digits; fractions occur only where nine decimals are enough.
 *
 * @throws FixtureFault
 */
export function parseFixtureObject(text: string): FixtureObject {
  let value: unknown;
  try {
    value = parse(text, undefined, (digits) => (INTEGER.test(digits) ? BigInt(digits) : Number(digits)));
  } catch (cause) {
    throw new FixtureFault(`it is not JSON: ${(cause as Error).message}`, { cause });
  }
  if (!isObject(value)) throw new FixtureFault('it is not a JSON object');
  return value;
}
