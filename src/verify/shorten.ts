const LONGEST = 60;

const LISTED = 5;

/** Names the first of many texts of the client. */
export function shortenList(texts: readonly string[]): string {
  const more = texts.length > LISTED ? ` and ${texts.length - LISTED} more` : '';
  return texts.slice(0, LISTED).map(shorten).join(', ') + more;
}

/** Cuts a text of the client for use in a message. */
export function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
