const QUOTE = '"';
const BACKSLASH = 0x5c;

/** A JSON object by its text, of which only the requested members are parsed. */
export class JsonMembers {
  readonly #text: string;
  /** Made when first needed. */
  #texts: ReadonlyMap<string, string> | null = null;

  /** @param text of an object, as `JSON.stringify` prints it */
  constructor(text: string) {
    this.#text = text;
  }

  /** The JSON of a member; null where there is none, and where it is null. */
  text(name: string): string | null {
    this.#texts ??= membersOf(this.#text);
    const found = this.#texts.get(name) ?? null;
    return found === 'null' ? null : found;
  }

  /** What {@link JsonMembers.text} says. */
  value(name: string): unknown {
    const text = this.text(name);
    return text === null ? null : JSON.parse(text);
  }
}

function membersOf(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (let open = text.indexOf(QUOTE); open >= 0; ) {
    const colon = endOfString(text, open);
    const end = endOfValue(text, colon + 1);
    members.set(JSON.parse(text.slice(open, colon)), text.slice(colon + 1, end));
    open = text.indexOf(QUOTE, end);
  }
  return members;
}

/** Where a value ends: at the comma or the brace behind it. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    switch (text[at]) {
      case QUOTE:
        at = endOfString(text, at) - 1;
        break;
      case '{':
      case '[':
        depth++;
        break;
      case ',':
        if (depth === 0) return at;
        break;
      case '}':
      case ']':
        if (depth === 0) return at;
        depth--;
    }
  }
  return text.length;
}

/** Right behind the quote that ends a string: the first one without an odd number of backslashes before it. */
function endOfString(text: string, open: number): number {
  for (let from = open + 1; ; ) {
    const close = text.indexOf(QUOTE, from);
    if (close < 0) return text.length;
    let before = close;
    while (before > from && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((close - before) % 2 === 0) return close + 1;
    from = close + 1;
  }
}
