import { describe, expect, test } from 'vitest';
import { html, printHtml, trusted } from './html.ts';

describe('html', () => {
  test('escapes every text, in elements and attributes', () => {
    const name = `<script>alert('1 & "2"')</script>`;
    const escaped = '&lt;script&gt;alert(&#39;1 &amp; &quot;2&quot;&#39;)&lt;/script&gt;';
    expect(printHtml(html`<p title="${name}">${name}</p>`)).toBe(`<p title="${escaped}">${escaped}</p>`);
  });

  test('leaves out what may not stand in a document', () => {
    expect(printHtml(html`<p title="${'a\u0000b'}">${'c\u001b[31m\ud800d\te'}</p>`)).toBe(
      '<p title="ab">c[31md\te</p>',
    );
  });

  test('keeps templates, lists of them and trusted markup as they are', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(printHtml(html`<ul>${items}${trusted('<li>c</li>')}</ul>`)).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li><li>c</li></ul>',
    );
  });

  test('shows nothing for null and numbers as they are', () => {
    expect(printHtml(html`${null}${0}${[]}`)).toBe('0');
  });
});
