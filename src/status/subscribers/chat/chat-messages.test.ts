import { describe, expect, test } from 'vitest';
import type { News } from '../news.ts';
import { newsOf } from '../news.ts';
import { slackMessage, teamsMessage } from './messages.ts';

const news = (more: Partial<News> = {}): News => ({
  title: 'Investigating: Reads fail',
  text: 'We look into it.',
  mark: 'major',
  link: 'https://status.example.org/i/abc',
  pageName: 'Ledgerlens',
  pageUrl: 'https://status.example.org',
  ...more,
});

describe('newsOf', () => {
  test('an update: its words without markup, and the link to its incident', () => {
    const incident = {
      name: 'Reads\nfail',
      status: 'identified',
      impact: 'major',
      shortlink: 'https://status.example.org/i/abc',
      incident_updates: [{ body: 'The **disk** is full.' }, { body: 'older' }],
    };
    const page = { name: 'Ledgerlens', url: 'https://status.example.org' };
    expect(newsOf(JSON.stringify({ incident }), page)).toMatchObject({
      title: 'Identified: Reads fail',
      text: 'The disk is full.',
      mark: 'partial',
      link: incident.shortlink,
    });
    const moved = {
      component: { name: 'Reads' },
      component_update: { old_status: 'operational', new_status: 'major_outage' },
    };
    expect(newsOf(JSON.stringify(moved), page)).toMatchObject({
      title: 'Reads: Major outage',
      text: 'Before: Operational',
      link: page.url,
    });
  });
});

describe('slackMessage', () => {
  test('is blocks with a text for notifications', () => {
    expect(slackMessage(news())).toEqual({
      text: 'Investigating: Reads fail',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Investigating: Reads fail', emoji: false } },
        { type: 'section', text: { type: 'mrkdwn', verbatim: true, text: 'We look into it.' } },
        {
          type: 'context',
          elements: [
            {
              type: 'mrkdwn',
              verbatim: true,
              text: '<https://status.example.org/i/abc|Details> · Ledgerlens',
            },
          ],
        },
      ],
    });
  });

  test('calls nobody and makes no link of what authors wrote', () => {
    const told = slackMessage(
      news({ title: '<!channel>', text: '<!here> & <https://evil.example.org|click>' }),
    );
    expect(told.text).toBe('&lt;!channel&gt;');
    expect(JSON.stringify(told.blocks[1])).toContain(
      '&lt;!here&gt; &amp; &lt;https://evil.example.org|click&gt;',
    );
    expect(JSON.stringify(slackMessage(news({ link: 'https://a.example.org/?x=1&y=>|' })))).toContain(
      '<https://a.example.org/?x=1&amp;y=%3E%7C|Details>',
    );
  });

  test('keeps to the lengths that Slack allows, without tearing an escape', () => {
    const told = slackMessage(news({ title: 'é'.repeat(400), text: '&'.repeat(25_000) }));
    const [header, section] = told.blocks as unknown as { text: { text: string } }[];
    expect(header?.text.text).toHaveLength(150);
    expect(section?.text.text.length).toBeLessThanOrEqual(3000);
    expect(section?.text.text).toMatch(/^(&amp;)+…$/);
  });

  test('has no empty section', () => {
    expect(slackMessage(news({ text: '' })).blocks.map(({ type }) => type)).toEqual(['header', 'context']);
  });
});

describe('teamsMessage', () => {
  test('is a message with an Adaptive Card whose texts are shown as they are', () => {
    const told = teamsMessage(news({ text: '[click](https://evil.example.org) **now**' }));
    expect(told).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            actions: [{ type: 'Action.OpenUrl', url: 'https://status.example.org/i/abc' }],
          },
        },
      ],
    });
    const blocks = told.attachments[0]?.content.body ?? [];
    expect(blocks.map(({ type }) => type)).toEqual(['RichTextBlock', 'RichTextBlock', 'RichTextBlock']);
    expect(blocks[1]?.inlines[0]?.text).toBe('[click](https://evil.example.org) **now**');
  });

  test.each(['x', '"', '漢', '😀', '\u0001'])('stays below 28 KB with 25,000 times %j', (character) => {
    const told = teamsMessage(news({ title: character.repeat(255), text: character.repeat(25_000) }));
    expect(Buffer.byteLength(JSON.stringify(told))).toBeLessThan(28_000);
  });
});
