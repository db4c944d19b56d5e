import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { parseContent, type XmlElement } from '../../../test/support/strict-xml.ts';
import { renderBody } from './render-body.ts';

const LINK = 'rel="nofollow noopener"';

describe('renderBody reads Markdown', () => {
  test.each([
    ['', ''],
    [' \n\n ', ''],
    ['One.\n\nTwo.', '<p>One.</p><p>Two.</p>'],
    ['One,\r\ntwo.', '<p>One,<br/>two.</p>'],
    [
      '*a* _b_ **c** __d__ ***e***',
      '<p><em>a</em> <em>b</em> <strong>c</strong> <strong>d</strong> <em><strong>e</strong></em></p>',
    ],
    ['**bold with *italic* inside**', '<p><strong>bold with <em>italic</em> inside</strong></p>'],
    ['2 * 3 * 4, a snake_case_name, **open', '<p>2 * 3 * 4, a snake_case_name, **open</p>'],
    ['\\*plain\\* \\n', '<p>*plain* \\n</p>'],
    [
      '`a <b> *c*` and ``x`y`` and `open',
      '<p><code>a &lt;b&gt; *c*</code> and <code>x`y</code> and `open</p>',
    ],
    ['```\nline  *1*\n\nline 2\n```\nafter', '<p><code>line  *1*<br/><br/>line 2</code></p><p>after</p>'],
    ['~~~\nnever ends', '<p><code>never ends</code></p>'],
    ['- a\n- b\n  goes on\n\nafter', '<ul><li>a</li><li>b<br/>goes on</li></ul><p>after</p>'],
    ['- a\n  - b\n- c\n1. d', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><ol><li>d</li></ol>'],
    ['- a\n\n  second paragraph\n- b', '<ul><li>a<p>second paragraph</p></li><li>b</li></ul>'],
    ['1. a\n2. b\n\n2026. was a year', '<ol><li>a</li><li>b</li></ol><p>2026. was a year</p>'],
    ['Caches:\n* one\n* two', '<p>Caches:</p><ul><li>one</li><li>two</li></ul>'],
    ['*a _b* c_', '<p><em>a _b</em> c_</p>'],
  ])('%j', (body, html) => {
    expect(renderBody(body)).toBe(html);
  });
});

describe('renderBody makes links', () => {
  test.each([
    [
      '[a **b**](https://x.org/y?q=1&r=2)',
      `<p><a href="https://x.org/y?q=1&amp;r=2" ${LINK}>a <strong>b</strong></a></p>`,
    ],
    ['[a](https://x.org/b_(c) "Title")', `<p><a href="https://x.org/b_(c)" ${LINK}>a</a></p>`],
    ['<https://x.org>', `<p><a href="https://x.org" ${LINK}>https://x.org</a></p>`],
    [
      'See (https://x.org/a_b_c).',
      `<p>See (<a href="https://x.org/a_b_c" ${LINK}>https://x.org/a_b_c</a>).</p>`,
    ],
    [
      '<a class="x" onclick="y()" href=\'http://x.org/"\'>a</a>',
      `<p><a href="http://x.org/&quot;" ${LINK}>a</a></p>`,
    ],
    ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
    ['<a href="javascript:alert(1)">a</a>', '<p>a</p>'],
    ['<a href="java&#115;cript:alert(1)">a</a> <a>b</a>', '<p>a b</p>'],
    ['[a](//x.org) [b](http://) [c] (https:x)', '<p>[a](//x.org) [b](http://) [c] (https:x)</p>'],
    [
      '[[a](https://x.org)](https://y.org)',
      `<p>[<a href="https://x.org" ${LINK}>a</a>](<a href="https://y.org" ${LINK}>https://y.org</a>)</p>`,
    ],
  ])('%j', (body, html) => {
    expect(renderBody(body)).toBe(html);
  });
});

describe('renderBody keeps a few elements of raw HTML', () => {
  test.each([
    ['a<br>b<BR />\nc', '<p>a<br/>b<br/>c</p>'],
    ['<p class="x">a</p>\n<p>b</p>', '<p>a</p><p>b</p>'],
    ['<ul>\n<li>a\n\n<li><b>b</b></li>\n</ul>c', '<ul><li>a</li><li><b>b</b></li></ul><p>c</p>'],
    ['<b>a<i>b</b>c</i>', '<p><b>a<i>b</i></b>c</p>'],
    ['<b>a<b>b</b>c</b>d', '<p><b>abc</b>d</p>'],
    ['</p></ul>a</em><li>b', '<p>a</p><ul><li>b</li></ul>'],
    [
      '<script>alert("1")</script><!-- a --><img src=x onerror=y>',
      '<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;!-- a --&gt;&lt;img src=x onerror=y&gt;</p>',
    ],
    [
      '<bold> a < b &amp; c &lt;b&gt; &nbsp;&#39; &unknown; &',
      '<p>&lt;bold&gt; a &lt; b &amp; c &lt;b&gt; \u00A0&#39; &amp;unknown; &amp;</p>',
    ],
    ['\u0000a\u0008\uD800b&#0;&#xFFFE;\uFFFF', '<p>ab</p>'],
  ])('%j', (body, html) => {
    expect(renderBody(body)).toBe(html);
  });
});

/** Pieces that mean something, so that random bodies meet the rules rather than pass them by. */
const PIECES = [
  ...[
    '*',
    '**',
    '_',
    '`',
    '``',
    '```\n',
    '[',
    '](',
    ')',
    '](https://x.org)',
    'https://x.org',
    '\\',
    '\n',
    '\n\n',
  ],
  ...[
    '- ',
    '  - ',
    '1. ',
    '<',
    '>',
    '&',
    '&lt;',
    '&#60;',
    '"',
    "'",
    'word',
    ' ',
    'javascript:',
    '\u0001',
    '\uD800',
  ],
  ...[
    '<br>',
    '<p>',
    '</p>',
    '<ul>',
    '</ul>',
    '<ol>',
    '<li>',
    '</li>',
    '<b>',
    '</b>',
    '<i>',
    '<code>',
    '</code>',
  ],
  ...[
    '<a href="https://x.org" onclick="x">',
    '</a>',
    '<a href="javascript:x">',
    '<script>',
    ']]>',
    '<!--',
    '<em/>',
  ],
];
const bodies = fc.array(fc.oneof({ arbitrary: fc.constantFrom(...PIECES), weight: 6 }, fc.string()), {
  maxLength: 60,
});

const PARENTS: Readonly<Record<string, RegExp>> = {
  p: /^(|li)$/,
  ul: /^(|li)$/,
  ol: /^(|li)$/,
  li: /^(ul|ol)$/,
};

/** Checks that an element may stand where it stands, as readers of HTML nest them. */
function checkElement(element: XmlElement, ancestors: readonly string[]): void {
  const { name, attributes, children, text } = element;
  expect(name).toMatch(/^(|br|p|b|strong|i|em|code|ul|ol|li|a)$/);
  expect(Object.keys(attributes)).toEqual(name === 'a' ? ['href', 'rel'] : []);
  if (name === 'a') expect(attributes['href']).toMatch(/^https?:\/\//i);
  if (name === 'br') expect(children).toEqual([]);
  const parent = ancestors.at(-1) ?? '';
  if (name !== '') expect(parent).toMatch(PARENTS[name] ?? /^(p|li|b|strong|i|em|code|a)$/);
  if (name === '' || name === 'ul' || name === 'ol') expect(text).toBe('');
  if (!(name in PARENTS)) expect(ancestors).not.toContain(name === '' ? 'nothing' : name);
  for (const child of children) checkElement(child, name === '' ? [] : [...ancestors, name]);
}

test('whatever the body, the result is well-formed and holds only what may stand in a page', () => {
  fc.assert(
    fc.property(bodies, (pieces) => {
      const html = renderBody(pieces.join(''));
      checkElement(parseContent(html), []);
      // Browsers need the same tags in the same places: no element ends by the start of another.
      expect(html).not.toMatch(/<(?!\/?(?:p|b|strong|i|em|code|ul|ol|li|a)>|br\/>|a href="https?:)/i);
    }),
    { numRuns: 2000 },
  );
});

test('lists go no deeper than a page has room for, in Markdown and in HTML', () => {
  const lines = Array.from({ length: 20 }, (_, level) => `${'  '.repeat(level)}- ${level}`);
  for (const body of [lines.join('\n'), '<ul><li>x'.repeat(20)]) {
    const parts = renderBody(body).match(/<\/?ul>/g) ?? [];
    let depth = 0;
    const depths = parts.map((part) => (depth += part === '<ul>' ? 1 : -1));
    expect(Math.max(...depths)).toBe(6);
  }
});

test('no text gets lost: letters come out in their order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('*', '_', '`', '[', ']', '(', ')', '\n', '- ', ' ', 'a', 'b', 'c', '<', '>')),
      (pieces) => {
        const body = pieces.join('');
        // What stands behind the opening mark of a block of code names its language.
        fc.pre(!/`{3,}[^`\n]*[abc]/.test(body));
        const shown = renderBody(body)
          .replace(/<[^>]*>/g, '')
          .replace(/&[a-z]+;/g, '');
        expect(shown.replace(/[^abc]/g, '')).toBe(body.replace(/<\/?(?:b|a)>/g, '').replace(/[^abc]/g, ''));
      },
    ),
  );
});

/** What took longest for other readers of Markdown: each asks for a look at all that follows. */
const HOSTILE = [
  ...[
    '*',
    '*a ',
    '_a* ',
    '**a *b ',
    '*a_b',
    '[',
    '[](',
    '](',
    '[](http://a',
    '](http://a)',
    '[](https://a(',
    '](   ',
  ],
  ...[
    '<',
    '<a ',
    '<a href="',
    '<b>',
    '<ul>',
    '<ul><li>',
    '`',
    '`a``',
    '&',
    '&#',
    '\\',
    'https://',
    'https://a(',
    '\n',
  ],
  ...[
    '- a\n',
    ' - a\n',
    '1. a\n',
    ' ',
    '<br>',
    'a\n\n',
    '```\n',
    '~~~~\n~~~\n',
    '<a href= ',
    '[](http://a "',
  ],
];

test('the longest body takes time in proportion, whatever it repeats and ends with', () => {
  for (const piece of [...HOSTILE, '~', '](https://x.org ', '- ~', 'x']) {
    for (const end of ['', '`', '>']) {
      const body = piece.repeat(Math.ceil(30_000 / piece.length)) + end;
      const start = process.cpuUsage().user;
      renderBody(body);
      // Microseconds. If the cost were squared, this length would take seconds.
      expect(process.cpuUsage().user - start, JSON.stringify([piece, end])).toBeLessThan(500_000);
    }
  }
});

test('a text gives the same HTML whatever was rendered in between, remembered or not', () => {
  const text = '- *a*\n- `b`';
  const first = renderBody(text);
  expect(renderBody(text)).toBe(first);
  for (let index = 0; index < 100; index++) renderBody(`${index} ${'x '.repeat(15_000)}`);
  expect(renderBody(text)).toBe(first);
  expect(renderBody(`${text}\n- c`)).not.toBe(first);
});
