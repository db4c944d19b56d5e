import type { Mark } from '../../page/status-marks.ts';
import { cutText } from '../cut-text.ts';
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
