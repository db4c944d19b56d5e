import Negotiator from 'negotiator';

/** Most clients send one of a few; the bound is for those who do not. */
const MAX_KNOWN = 64;
const knownForGzip = new Map<string, boolean>();

/**
 * Whether the client of a request takes gzip: named, or by `*`, and not with weight 0.
 *
 * @param header `Accept-Encoding`; undefined when the client sent none.
 * @see RFC 9110 section 12.5.3
 */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  const known = knownForGzip.get(header);
  if (known !== undefined) return known;
  const accepts = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(['gzip']).length > 0;
  if (knownForGzip.size >= MAX_KNOWN) knownForGzip.clear();
  knownForGzip.set(header, accepts);
  return accepts;
}

/**
 * Whether a media type is welcome; the most specific range decides.
 *
 * @param header `Accept`; absent or empty means anything.
 * @see RFC 9110 section 12.5.1
 */
export function acceptsType(header: string | undefined, type: string): boolean {
  if (header === undefined || header.trim() === '') return true;
  return new Negotiator({ headers: { accept: header } }).mediaTypes([type]).length > 0;
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
