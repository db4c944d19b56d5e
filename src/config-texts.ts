/** `2,44-71`; the pattern of the variable was checked. */
export function parseRanges(text: string): readonly (readonly [first: number, last: number])[] {
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.split('-');
    return [Number(first), Number(last)];
  });
}

/** `off`, a number of hops, or addresses and networks. */
export function parseTrustProxy(value: string): boolean | number | readonly string[] {
  if (value === 'off') return false;
  return /^\d+$/.test(value) ? Number(value) : list(value);
}

/** `1/3`, `0.4`, `.4`, `0` and `1`; the pattern of the variable admits nothing else. */
export function parseRatio(value: string): readonly [bigint, bigint] {
  const [numerator = '0', denominator] = value.split('/');
  if (denominator !== undefined) return [BigInt(numerator), BigInt(denominator)];
  const [whole = '0', fraction = ''] = value.split('.');
  return [BigInt(`${whole}${fraction}`), 10n ** BigInt(fraction.length)];
}

/** Parts between commas, without those that are empty. */
export function list(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
