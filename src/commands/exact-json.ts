import { parse, stringify } from 'lossless-json';

const INTEGER = /^-?\d+$/;

/** Prints JSON in which every bigint appears as a number with all its digits. */
export function stringifyExact(value: unknown, indent?: number): string {
  return stringify(value, undefined, indent) ?? 'null';
}

/**
 * Parses JSON without rounding: integers beyond 2^53 become bigint, all other numbers stay numbers.
 *
 * @throws SyntaxError when the text is no JSON.
 */
export function parseExact(text: string): unknown {
  return parse(text, undefined, (digits) => {
    const number = Number(digits);
    return INTEGER.test(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number;
  });
}
