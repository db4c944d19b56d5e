import Negotiator from 'negotiator';

/** Most clients send one of a few; the bound is for those who do not. */
const MAX_KNOWN = 64;

/** Remembers what headers say: reading one takes as long as decoding a transaction. */
function remembered(read: (header: string) => boolean): (header: string) => boolean {
  const known = new Map<string, boolean>();
  return (header) => {
    let says = known.get(header);
    if (says !== undefined) return says;
    says = read(header);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(header, says);
    return says;
  };
}

const takesGzip = remembered(
  (header) => new Negotiator({ headers: { 'accept-encoding': header } }).encodings(['gzip']).length > 0,
);

/**
 * Whether the client of a request takes gzip: named, or by `*`, and not with weight 0.
 *
 * @param header `Accept-Encoding`; undefined when the client sent none.
 * @see RFC 9110 section 12.5.3
 */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && takesGzip(header);
}

/**
 * Gives the test whether a media type is welcome; the most specific range decides. Its argument is `Accept`; absent or
 * empty means anything.
 *
 * @see RFC 9110 section 12.5.1
 */
export function acceptsType(type: string): (header: string | undefined) => boolean {
  const takes = remembered((accept) => new Negotiator({ headers: { accept } }).mediaTypes([type]).length > 0);
  return (header = '') => header.trim() === '' || takes(header);
}

/**
 * Whether a media type is named, and not with weight 0. Wildcards do not count: programs send them that want whatever
 * there is.
 *
 * @param header `Accept`; undefined when the client sent none.
 */
export function namesType(header: string | undefined, type: string): boolean {
  if (header === undefined) return false;
  return new Negotiator({ headers: { accept: header } })
    .mediaTypes()
    .some((each) => each.toLowerCase() === type);
}
