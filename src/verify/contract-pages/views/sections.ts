import { type Html, html, type Shown } from '../../../pages/html.ts';

/** A part of the page that its navigation leads to. */
export interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

/** The parts below each other, with links to each of them before. */
export function renderSections(sections: readonly PageSection[]): Html {
  return html`<nav aria-label="On this page" class="links sections">
${sections.map(
  ({ id, title }) => html`<a href="#${id}">${title}</a>
`,
)}</nav>
${sections.map(
  ({ id, title, content }) => html`<section>
<h2 id="${id}">${title}</h2>
${content}
</section>
`,
)}`;
}

/** Names with their values; a null value leaves its row out. */
export function renderFacts(facts: readonly (readonly [string, Shown])[]): Html {
  return html`<dl class="facts">
${facts.map(([name, value]) =>
  value === null
    ? null
    : html`<dt>${name}</dt><dd>${value}</dd>
`,
)}</dl>`;
}

/** Code that may be wider than the page; it can be scrolled by keyboard. */
export function renderBlock(label: string, content: Shown, style = 'wraps'): Html {
  return html`<pre class="${style}" tabindex="0" role="region" aria-label="${label}">${content}</pre>`;
}
