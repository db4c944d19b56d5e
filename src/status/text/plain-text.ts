import { resolveReferences } from './character-references.ts';
import { renderBody } from './render-body.ts';

/** Tags and text in the one form that {@link renderBody} writes. */
const PART = /<(\/?)(\w+)(?: href="([^"]*)"[^>]*)?\/?>|[^<]+/g;

interface ShownList {
  readonly isNumbered: boolean;
  items: number;
}

/**
 * The text of an update without any mark-up, for titles, summaries and terminals.
 *
 * Paragraphs are apart by an empty line, items begin with `- ` or their number, the address of a link follows its text.
 * Not escaped.
 */
export function plainText(body: string): string {
  const lists: ShownList[] = [];
  let text = '';
  let link = { address: '', from: 0 };

  function beginLine(): void {
    text = text.trimEnd();
    if (text !== '') text += '\n';
  }

  function beginItem(): void {
    const list = lists.at(-1);
    if (list === undefined) return;
    list.items++;
    text += `${'  '.repeat(lists.length - 1)}${list.isNumbered ? `${list.items}.` : '-'} `;
  }

  function begin(tag: string, address: string): void {
    if (tag === 'br') text += '\n';
    else if (tag === 'a') link = { address: resolveReferences(address), from: text.length };
    else if (tag === 'ul' || tag === 'ol') lists.push({ isNumbered: tag === 'ol', items: 0 });
    if (tag === 'li' || tag === 'p') beginLine();
    if (tag === 'li') beginItem();
    if (tag === 'p' && lists.length === 0 && text !== '') text += '\n';
  }

  function end(tag: string): void {
    if (tag === 'a' && text.slice(link.from) !== link.address) text += ` (${link.address})`;
    if (tag !== 'ul' && tag !== 'ol') return;
    lists.pop();
    beginLine();
  }

  for (const [part, slash, tag, address = ''] of renderBody(body).matchAll(PART)) {
    if (tag === undefined) text += resolveReferences(part);
    else if (slash === '/') end(tag);
    else begin(tag, address);
  }
  return text.trimEnd();
}
