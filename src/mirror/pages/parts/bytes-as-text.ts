const STRICT = new TextDecoder('utf-8', { fatal: true });
/** Controls but tab and line ends: bytes that have them are hardly text. */
const CONTROLS = /(?![\t\n\r])\p{Cc}/u;

/** Bytes as text where they are text, else null. */
function textOf(bytes: Uint8Array): string | null {
  try {
    const text = STRICT.decode(bytes);
    return CONTROLS.test(text) ? null : text;
  } catch {
    // No UTF-8: shown as bytes.
    return null;
  }
}

/** Text where the bytes are text, else hexadecimal. */
export function readable(base64: string): { readonly text: string; readonly isText: boolean } {
  const bytes = Buffer.from(base64, 'base64');
  const text = textOf(bytes);
  return text === null ? { text: `0x${bytes.toString('hex')}`, isText: false } : { text, isText: true };
}

/** At most so many characters; what is left out is said. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}
