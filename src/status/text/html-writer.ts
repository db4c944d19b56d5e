import { escapeHtml } from '../../values/escape-html.ts';

/** Elements that stand in a line of text. */
export type InlineTag = 'a' | 'b' | 'code' | 'em' | 'i' | 'strong';
/** Elements that begin a new block. */
export type BlockTag = 'li' | 'ol' | 'p' | 'ul';

/** Lists deeper than this continue at the last level: a page has no room for more. */
const DEEPEST_LIST = 6;

const BLOCKS: ReadonlySet<string> = new Set<BlockTag>(['li', 'ol', 'p', 'ul']);
const LISTS: ReadonlySet<string | undefined> = new Set<BlockTag>(['ol', 'ul']);

export type HtmlWriter = ReturnType<typeof createHtmlWriter>;

/**
 * Writes HTML that is well-formed XML and nested as HTML wants it, whatever the order of the calls; an empty text at first.
 *
 * Text outside a block begins a paragraph, text directly in a list an item. An element within one of its own kind is
 * left out, as is the end of one that is not open.
 */
export function createHtmlWriter() {
  const parts: string[] = [];
  const open: string[] = [];
  /** How often each inline element was asked for and not yet ended. */
  const asked = new Map<string, number>();
  let breaks = 0;
  let isSoft = false;
  /** Whether the present item had a paragraph, so that further text needs one of its own. */
  let isBroken = false;
  let hasText = false;

  function push(tag: string, start = `<${tag}>`) {
    parts.push(start);
    open.push(tag);
  }

  function pop() {
    const tag = open.pop();
    parts.push(`</${tag}>`);
    if (tag !== undefined) asked.delete(tag);
  }

  /** Closes down to the innermost element of a kind, with it or without it. */
  function popTo(isSought: (tag: string) => boolean, withIt: boolean) {
    const depth = open.findLastIndex(isSought);
    while (open.length > depth + 1) pop();
    if (withIt && depth >= 0) pop();
  }

  function beginBlock() {
    breaks = 0;
    isBroken = false;
    hasText = false;
  }

  function endLines() {
    popTo((tag) => BLOCKS.has(tag), false);
    if (open.at(-1) === 'p') pop();
    breaks = 0;
  }

  function beginLine() {
    const top = open.at(-1);
    if (LISTS.has(top)) openBlock('li');
    else if (top === undefined || (top === 'li' && isBroken)) openBlock('p');
    if (hasText) parts.push('<br/>'.repeat(breaks));
    breaks = 0;
  }

  function openInline(tag: InlineTag, start?: string) {
    const times = asked.get(tag) ?? 0;
    if (times === 0) {
      beginLine();
      push(tag, start);
    }
    asked.set(tag, times + 1);
  }

  function openBlock(tag: BlockTag) {
    endLines();
    if (tag === 'li') {
      popTo((each) => LISTS.has(each), false);
      if (open.length === 0) push('ul');
    } else if (tag !== 'p') {
      if (open.filter((each) => LISTS.has(each)).length >= DEEPEST_LIST) return;
      if (LISTS.has(open.at(-1))) push('li');
    } else if (LISTS.has(open.at(-1))) {
      push('li');
    }
    push(tag);
    beginBlock();
  }

  function closeBlock(tag: BlockTag) {
    if (!open.includes(tag)) return;
    endLines();
    // The end of an item is not that of one further out.
    const depth = open.findLastIndex((each) => each === tag || (tag === 'li' && LISTS.has(each)));
    if (open[depth] !== tag) return;
    while (open.length > depth) pop();
    beginBlock();
    isBroken = true;
  }

  return {
    text(text: string): void {
      if (text.trim() === '' && (!hasText || breaks > 0)) return;
      beginLine();
      parts.push(escapeHtml(text));
      hasText = true;
    },
    /** A line end of the author; none beside a break that is written out, nor at the edge of a block. */
    softBreak(): void {
      if (breaks > 0) return;
      breaks = 1;
      isSoft = true;
    },
    hardBreak(): void {
      breaks = breaks === 1 && isSoft ? 1 : breaks + 1;
      isSoft = false;
    },
    open: (tag: InlineTag | BlockTag): void => (isBlock(tag) ? openBlock(tag) : openInline(tag)),
    /** @param href an address that may be followed. */
    openLink: (href: string): void =>
      openInline('a', `<a href="${escapeHtml(href)}" rel="nofollow noopener">`),
    close(tag: InlineTag | BlockTag) {
      if (isBlock(tag)) return closeBlock(tag);
      const times = asked.get(tag) ?? 0;
      if (times > 1) asked.set(tag, times - 1);
      else if (times === 1) popTo((each) => each === tag, true);
    },
    /** Ends the paragraph; lists stay open. */
    endParagraph(): void {
      endLines();
      beginBlock();
      isBroken = true;
    },
    /** Ends everything. */
    finish(): string {
      while (open.length > 0) pop();
      return parts.join('');
    },
  };
}

function isBlock(tag: InlineTag | BlockTag): tag is BlockTag {
  return BLOCKS.has(tag);
}
