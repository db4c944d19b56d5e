import { cutText } from '../cut-text.ts';
import type { News } from '../news.ts';

/** Most characters of a header and of a section. @see docs.slack.dev, reference of header and section blocks */
const HEADER = 150;
const SECTION = 3000;

/**
 * The body for an incoming webhook of Slack: blocks, and a text for notifications.
 *
 * `verbatim` keeps Slack from making links and mentions of what authors wrote.
 *
 * @see docs.slack.dev, formatting message text: `&`, `<` and `>` are the characters to escape
 */
export function slackMessage({ title, text, link, pageName }: News) {
  const section = { type: 'mrkdwn', verbatim: true } as const;
  return {
    text: escapeSlack(title, SECTION),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cutText(title, HEADER, unit), emoji: false } },
      ...(text === '' ? [] : [{ type: 'section', text: { ...section, text: escapeSlack(text, SECTION) } }]),
      {
        type: 'context',
        elements: [{ ...section, text: `<${slackLink(link)}|Details> · ${escapeSlack(pageName, HEADER)}` }],
      },
    ],
  };
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (character: string) => ESCAPES[character] ?? character;
const unit = (character: string) => character.length;

/** Cut before it is escaped, so that no escape is torn. */
function escapeSlack(text: string, most: number): string {
  return cutText(text, most, (character) => escaped(character).length).replace(/[&<>]/g, escaped);
}

/** Within `<…|…>` two more characters end an address. */
function slackLink(url: string): string {
  return url.replace(/[|<>]/g, encodeURIComponent).replace(/&/g, escaped);
}
