/**
 * Whether the client of a request names a media type, and not with weight 0. Wildcards do not count: programs send
 * them that want whatever there is.
 *
 * @param header `Accept`; undefined when the client sent none.
 * @see RFC 9110 section 12.5.1
 */
export function acceptsType(header: string | undefined, type: string): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    return name === type && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
