import type { Mark } from '../../page/status-marks.ts';
import type { News } from '../news.ts';

/** A message may have 28 KB. @see learn.microsoft.com, create incoming webhooks */
const TEXT_BYTES = 16_000;
const TITLE_BYTES = 1_000;

const COLOURS: Readonly<Record<Mark, string>> = {
  operational: 'good',
  degraded: 'warning',
  partial: 'warning',
  major: 'attention',
  maintenance: 'accent',
  'no-data': 'default',
};

/**
 * The body for a workflow or incoming webhook of Teams: a message with one Adaptive Card.
 *
 * Texts are runs, which are shown as they are; text blocks would read them as Markdown.
 *
 * @see learn.microsoft.com, send Adaptive Cards using an Incoming Webhook; adaptivecards.io, RichTextBlock
 */
export function teamsMessage({ title, text, mark, link, pageName }: News) {
  const run = (content: string, most: number, more: object) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: cutText(content, most, bytes), ...more }],
  });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            run(title, TITLE_BYTES, { size: 'large', weight: 'bolder', color: COLOURS[mark] }),
            ...(text === '' ? [] : [run(text, TEXT_BYTES, {})]),
            run(pageName, TITLE_BYTES, { isSubtle: true, size: 'small' }),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Details', url: link }],
        },
      },
    ],
  };
}

/** As JSON: a quote and a backslash take two, a control character six. */
function bytes(character: string): number {
  return Buffer.byteLength(JSON.stringify(character)) - 2;
}

/** The beginning of a text in which every character, as it is sent, takes what `sizeOf` says; `…` when it is cut. */
function cutText(text: string, most: number, sizeOf: (character: string) => number): string {
  let size = 0;
  let shown = '';
  for (const character of text) {
    size += sizeOf(character);
    if (size > most - sizeOf('…')) {
      const rest = text.slice(shown.length);
      const restSize = [...rest].reduce((sum, each) => sum + sizeOf(each), size - sizeOf(character));
      return restSize <= most ? text : `${shown}…`;
    }
    shown += character;
  }
  return shown;
}

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
