const LONGEST = 60;

/** Cuts a text of the client for use in a message. */
export function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
