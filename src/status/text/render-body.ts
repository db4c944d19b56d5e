import { legalCharacters } from '../../values/legal-characters.ts';
import { createHtmlWriter, type HtmlWriter } from './html-writer.ts';
import { inlineTokens } from './inline-tokens.ts';

const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;
const ITEM = /^(\s*)([-*+]|(\d{1,9})[.)])\s+(\S.*)$/;
/** A tab counts as so many spaces. */
const TAB_WIDTH = 4;
/** What stands so much further to the right than an item belongs to it. */
const NESTING_SPACES = 2;

interface OpenList {
  readonly tag: 'ol' | 'ul';
  readonly indent: number;
  /** How many it has so far. */
  items: number;
}

/**
 * The text of an update as HTML that is safe to put into a page or feed.
 *
 * Knows Markdown's paragraphs, bold, italic, code, lists and links (http, https), takes every line end for a break,
 * keeps `br`, `p`, `b`, `strong`, `i`, `em`, `code`, `ul`, `ol`, `li` and `a href` of raw HTML and shows the rest as
 * text. The result is well-formed XML, whatever the body; empty for an empty one. Takes linear time.
 *
 * @see contracts/status.md section 10, Body rendering
 */
export function renderBody(body: string): string {
  const known = remembered.get(body);
  const rendered = known ?? render(body);
  remembered.delete(body);
  remembered.set(body, rendered);
  if (known === undefined) held += body.length + rendered.length;
  for (const [oldest, { length }] of remembered) {
    if (held <= MAX_HELD_CHARACTERS || oldest === body) break;
    held -= oldest.length + length;
    remembered.delete(oldest);
  }
  return rendered;
}

/** Every change makes the page and the feeds anew, in one turn, with texts most of which are as they were. */
const remembered = new Map<string, string>();
const MAX_HELD_CHARACTERS = 4_194_304;
let held = 0;

function render(body: string): string {
  const writer = createHtmlWriter();
  const lists: OpenList[] = [];
  let lines: string[] = [];
  let fence: { readonly mark: string; readonly code: string[] } | null = null;

  function endParagraph(): void {
    if (lines.length > 0) writeInline(writer, lines.join('\n'));
    lines = [];
    writer.endParagraph();
  }

  function endFence(): void {
    if (fence !== null) writeCode(writer, fence.code.join('\n'));
    fence = null;
    writer.endParagraph();
  }

  function closeLists(isOutside: (list: OpenList) => boolean): void {
    for (let last = lists.at(-1); last !== undefined && isOutside(last); last = lists.at(-1)) {
      writer.close(last.tag);
      lists.pop();
    }
  }

  function beginItem(indent: number, tag: OpenList['tag']): void {
    closeLists((list) => list.indent > indent);
    const last = lists.at(-1);
    const isNested = last === undefined || indent >= last.indent + NESTING_SPACES;
    if (!isNested && last.tag !== tag) closeLists((list) => list === last);
    if (isNested || last.tag !== tag) {
      writer.open(tag);
      lists.push({ tag, indent, items: 0 });
    }
    const list = lists.at(-1);
    if (list !== undefined) list.items++;
    writer.open('li');
  }

  function readLine(line: string): void {
    const item = ITEM.exec(line);
    const [, space = '', , number, content = ''] = item ?? [];
    const indent = widthOf(space);
    // Items are numbered when shown: `2026. A year` must not become another number.
    const isNext = number === '1' || Number(number) === itemsOf(lists, indent) + 1;
    const isItem = item !== null && (number === undefined || isNext);
    if (isItem) {
      endParagraph();
      beginItem(indent, number === undefined ? 'ul' : 'ol');
      lines.push(content);
      return;
    }
    // After an empty line only what is indented continues with an item.
    if (lines.length === 0) closeLists((list) => widthOf(/^\s*/.exec(line)?.[0] ?? '') <= list.indent);
    lines.push(line.trim());
  }

  for (const line of legalCharacters(body.replace(/\r\n?/g, '\n')).split('\n')) {
    const [, backticks, mark = backticks] = FENCE.exec(line) ?? [];
    if (fence !== null) {
      if (mark?.startsWith(fence.mark) && line.trim() === mark) endFence();
      else fence.code.push(line);
    } else if (mark !== undefined) {
      endParagraph();
      fence = { mark, code: [] };
    } else if (line.trim() === '') {
      endParagraph();
    } else {
      readLine(line);
    }
  }
  endParagraph();
  endFence();
  return writer.finish();
}

function widthOf(space: string): number {
  return space.replaceAll('\t', ' '.repeat(TAB_WIDTH)).length;
}

/** How many items the list has that an item so far to the right continues with. */
function itemsOf(lists: readonly OpenList[], indent: number): number {
  const list = lists.findLast((each) => each.indent <= indent);
  return list?.tag === 'ol' && indent < list.indent + NESTING_SPACES ? list.items : 0;
}

function writeInline(writer: HtmlWriter, text: string): void {
  for (const token of inlineTokens(text)) {
    switch (token.kind) {
      case 'text':
        writer.text(token.text);
        break;
      case 'code':
        writeCode(writer, token.text);
        break;
      case 'open':
        writer.open(token.tag);
        break;
      case 'close':
        writer.close(token.tag);
        break;
      case 'link':
        writer.openLink(token.href);
        break;
      case 'softBreak':
        writer.softBreak();
        break;
      case 'hardBreak':
        writer.hardBreak();
        break;
      case 'run':
        for (const tag of token.closes) writer.close(tag);
        writer.text(token.character.repeat(token.rest));
        for (const tag of token.opens) writer.open(tag);
        break;
    }
  }
}

function writeCode(writer: HtmlWriter, code: string): void {
  if (code === '') return;
  writer.open('code');
  for (const [index, line] of code.split('\n').entries()) {
    if (index > 0) writer.hardBreak();
    writer.text(line);
  }
  writer.close('code');
}
