import { escapeHtml } from '../values/escape-html.ts';
import { legalCharacters } from '../values/legal-characters.ts';

const MARKUP = Symbol('markup');

/** Text that is HTML already. Only {@link html} and {@link trusted} make it. */
export interface Html {
  readonly [MARKUP]: string;
}

/** What may stand in a template: null shows nothing, a list its members one after the other. */
export type Shown = Html | string | number | null | readonly Shown[];

/**
 * A template of HTML or XML: every text that is put into it is escaped, for elements and quoted attributes, and loses the
 * characters that may not stand there.
 *
 * @example html`<a href="${url}">${name}</a>`
 */
export function html(parts: TemplateStringsArray, ...values: readonly Shown[]): Html {
  let markup = parts[0] ?? '';
  for (const [index, value] of values.entries()) markup += print(value) + (parts[index + 1] ?? '');
  return { [MARKUP]: markup };
}

/** Markup from our own hand, or from a renderer that escapes what visitors and editors wrote. */
export function trusted(markup: string): Html {
  return { [MARKUP]: markup };
}

/** The finished text. */
export function printHtml(document: Html): string {
  return document[MARKUP];
}

function print(value: Shown): string {
  if (value === null) return '';
  if (typeof value === 'string') return escapeHtml(legalCharacters(value));
  if (typeof value === 'number') return String(value);
  return MARKUP in value ? value[MARKUP] : value.map(print).join('');
}
