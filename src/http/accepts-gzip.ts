const CODING = /^([^\s;]+)(?:\s*;\s*q=(0(?:\.\d*)?|1(?:\.0*)?))?$/i;

/**
 * Whether the client of a request takes gzip: named, or by `*`, and not with weight 0.
 *
 * @param header `Accept-Encoding`; undefined when the client sent none. Parts that cannot be read are ignored.
 * @see RFC 9110 section 12.5.3
 */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [, coding = '', weight = '1'] = CODING.exec(part.trim()) ?? [];
    weights.set(coding.toLowerCase(), Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
