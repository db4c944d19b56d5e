/**
 * Whether a conditional read names an entity tag, by which the client says that it holds this content already.
 *
 * Compares weakly: a tag with and without `W/` is the same.
 *
 * @param header `If-None-Match`; undefined when the client sent none.
 * @param tag with its quotes.
 * @see RFC 9110 section 13.1.2
 */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag) return true;
  const opaque = withoutWeakness(tag);
  return header
    .split(',')
    .map((each) => each.trim())
    .some((each) => each === '*' || withoutWeakness(each) === opaque);
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
