import { resolveReferences } from './character-references.ts';

const WEB = /^https?:\/\/[^\s\\]+$/i;

/** The address of a link as authors write it, or null unless it is one of the web (http or https). */
export function linkAddress(written: string): string | null {
  const address = resolveReferences(written).trim();
  return WEB.test(address) && URL.canParse(address) ? address : null;
}

/** What stands after an address in a sentence, rather than in it. */
const SENTENCE_END = /[.,:;!?'*_~]$/;

/** The length of the part of a text's address that belongs to it: not the full stop or bracket around it. */
export function bareAddressLength(address: string): number {
  let length = address.length;
  let unclosed = 0;
  for (const character of address) unclosed += character === '(' ? 1 : character === ')' ? -1 : 0;
  for (; length > 0; length--) {
    const last = address.charAt(length - 1);
    if (last === ')' && unclosed < 0) unclosed++;
    else if (!SENTENCE_END.test(last)) break;
  }
  return length;
}
